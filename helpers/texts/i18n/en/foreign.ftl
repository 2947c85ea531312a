# What lies on a volume, for people; a noun that also stands inside a sentence. The part after
# "content-" is the name that the program uses, spelled as blkid does. The most usual ones are in common.ftl.

content-ext2 = Linux file system (ext2)
content-ext3 = Linux file system (ext3)
content-ext4 = Linux file system (ext4)
content-jbd = the journal of a Linux file system
content-btrfs = Linux file system (Btrfs)
content-f2fs = Linux file system (F2FS)
content-bcachefs = Linux file system (bcachefs)
content-reiserfs = Linux file system (ReiserFS)
content-jfs = Linux file system (JFS)
content-erofs = Linux system image (EROFS)
content-squashfs = Linux system image (SquashFS)
content-zonefs = Linux file system (zonefs)
content-swsuspend = the memory of a sleeping Linux
content-ReFS = Windows file system (ReFS)
content-hfsplus = Mac file system (HFS+)
content-iso9660 = a CD or an installation image (ISO 9660)
content-udf = a DVD or Blu-ray file system (UDF)

content-BitLocker = BitLocker encryption (Windows)
content-CoreStorage = a Mac volume, perhaps with FileVault
content-LVM2_member = part of a volume group (LVM)
content-linux_raid_member = part of a software RAID
content-isw_raid_member = part of an Intel firmware RAID
content-zfs_member = part of a ZFS pool
content-bcache = a drive of a bcache pair
content-stratis = part of a Stratis pool
content-vdo = compressed storage (VDO)
content-ceph_bluestore = part of a Ceph cluster
content-DM_integrity = a volume with checksums (dm-integrity)
content-DM_verity_hash = the checksums of another volume (dm-verity)
content-ecryptfs = a folder with encrypted files (eCryptfs)
