# Was auf einem Datenträger liegt, für Menschen; ein Ausdruck, der auch in einem Satz stehen kann. Der Teil
# nach „content-“ ist der Name, den das Programm benutzt, geschrieben wie von blkid. Die üblichsten stehen in common.ftl.

content-ext2 = Linux-Dateisystem (ext2)
content-ext3 = Linux-Dateisystem (ext3)
content-ext4 = Linux-Dateisystem (ext4)
content-jbd = das Journal eines Linux-Dateisystems
content-btrfs = Linux-Dateisystem (Btrfs)
content-f2fs = Linux-Dateisystem (F2FS)
content-bcachefs = Linux-Dateisystem (bcachefs)
content-reiserfs = Linux-Dateisystem (ReiserFS)
content-jfs = Linux-Dateisystem (JFS)
content-erofs = Linux-Systemabbild (EROFS)
content-squashfs = Linux-Systemabbild (SquashFS)
content-zonefs = Linux-Dateisystem (zonefs)
content-swsuspend = der Arbeitsspeicher eines schlafenden Linux
content-ReFS = Windows-Dateisystem (ReFS)
content-hfsplus = Mac-Dateisystem (HFS+)
content-iso9660 = eine CD oder ein Installationsabbild (ISO 9660)
content-udf = DVD- oder Blu-ray-Dateisystem (UDF)

content-BitLocker = BitLocker-Verschlüsselung (Windows)
content-CoreStorage = ein Mac-Volume, vielleicht mit FileVault
content-LVM2_member = Teil einer Volume-Gruppe (LVM)
content-linux_raid_member = Teil eines Software-RAIDs
content-isw_raid_member = Teil eines Intel-Firmware-RAIDs
content-zfs_member = Teil eines ZFS-Pools
content-bcache = ein Laufwerk eines bcache-Paars
content-stratis = Teil eines Stratis-Pools
content-vdo = komprimierter Speicher (VDO)
content-ceph_bluestore = Teil eines Ceph-Clusters
content-DM_integrity = ein Datenträger mit Prüfsummen (dm-integrity)
content-DM_verity_hash = die Prüfsummen eines anderen Datenträgers (dm-verity)
content-ecryptfs = ein Ordner mit verschlüsselten Dateien (eCryptfs)
