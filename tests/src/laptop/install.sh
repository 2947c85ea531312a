#!/bin/sh
# Lays out a disk as Debian's installer does: EFI system partition, root with /boot in it, swap.
# It needs the administrator's rights for debootstrap's chroot, and nothing of this computer's disks.
#   install.sh FOLDER MIRROR SUITE
# LAPTOP_ROOT_MIB is the root's size, LAPTOP_SWAP_MIB the swap partition's; 0: a swap file, as Ubuntu has it.
# LAPTOP_FIRMWARE is `uefi` or `bios`; the latter with the small partition that GRUB needs in a GPT.
set -eu
work=$1 mirror=$2 suite=$3
root=$work/root disk=$work/disk.img
export PATH=$PATH:/usr/sbin:/sbin LC_ALL=C

# debootstrap does not choose among those who provide a package (polkitd wants a logind).
packages=systemd-sysv,udev,dbus,linux-image-cloud-amd64,initramfs-tools,cryptsetup,cryptsetup-initramfs,systemd-cryptsetup
if [ "$LAPTOP_FIRMWARE" = bios ]; then
    packages=$packages,grub-pc grub_install="grub-install /dev/vda"
else
    packages=$packages,grub-efi-amd64,grub-efi-amd64-signed,shim-signed,efibootmgr grub_install=grub-install
fi
packages=$packages,e2fsprogs,fdisk,dosfstools,kmod,zstd,console-setup,keyboard-configuration,procps,libpam-systemd,polkitd
if [ ! -e "$work/bootstrapped" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase --include=$packages "$suite" "$root" "$mirror"
    touch "$work/bootstrapped"
fi

efi=1B0D-93AA
fs=7a6f2c52-61b1-4a1f-9e0c-3f5c5a8d1e01
swap=7a6f2c52-61b1-4a1f-9e0c-3f5c5a8d1e02

cat > "$root/etc/fstab" <<END
# /etc/fstab: static file system information.
UUID=$fs /               ext4    errors=remount-ro 0       1
END
[ "$LAPTOP_FIRMWARE" = bios ] || echo "UUID=$efi  /boot/efi       vfat    umask=0077      0       1" >> "$root/etc/fstab"
if [ "$LAPTOP_SWAP_MIB" -gt 0 ]; then
    echo "UUID=$swap none            swap    sw              0       0" >> "$root/etc/fstab"
    echo "RESUME=UUID=$swap" > "$root/etc/initramfs-tools/conf.d/resume"
else
    echo "/swap.img none            swap    sw              0       0" >> "$root/etc/fstab"
    # Not of zeros: they would become holes, into which nothing can be swapped.
    dd if=/dev/urandom of="$root/swap.img" bs=1M count=64 status=none
    chmod 600 "$root/swap.img"
    mkswap -q "$root/swap.img"
fi
# The installer's choice of drivers for this computer only: the stricter case, because nothing that we need is there
# by chance, and the quicker one.
printf 'MODULES=dep\nCOMPRESSLEVEL=1\n' > "$root/etc/initramfs-tools/conf.d/driver-policy"
echo laptop > "$root/etc/hostname"
printf '127.0.0.1 localhost laptop\n' > "$root/etc/hosts"
sed -i 's/^root:[^:]*:/root::/' "$root/etc/shadow"
[ -e "$root/home/me" ] || chroot "$root" useradd -m -s /bin/sh me
sed -i -e 's/^GRUB_TIMEOUT=.*/GRUB_TIMEOUT=0/' -e 's/^GRUB_CMDLINE_LINUX=.*/GRUB_CMDLINE_LINUX="console=ttyS0"/' \
    "$root/etc/default/grub"
# A person at the console, and nothing that works in the background of its own accord.
mkdir -p "$root/etc/systemd/system/serial-getty@ttyS0.service.d" "$root/boot/efi" "$root/boot/grub"
cat > "$root/etc/systemd/system/serial-getty@ttyS0.service.d/login.conf" <<END
[Service]
ExecStart=
ExecStart=-/sbin/agetty --autologin root --keep-baud 115200 - dumb
END
for unit in apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer fstrim.timer dpkg-db-backup.timer getty@tty1.service; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
done
printf 'stty -echo cols 400\nPS1="laptop# "\nexport TERM=dumb PAGER=cat SYSTEMD_PAGER=cat\nexec sh\n' > "$root/root/.profile"
rm -rf "$root/var/cache/apt/archives/"*.deb "$root/var/lib/apt/lists/"*

# The installer finishes in the new system; here, that is its first start.
cat > "$root/etc/systemd/system/finish-install.service" <<END
[Unit]
ConditionPathExists=!/var/lib/installed
After=local-fs.target
[Service]
Type=oneshot
StandardOutput=journal+console
ExecStart=/bin/sh -ec 'update-initramfs -u -k all; $grub_install; update-grub; touch /var/lib/installed; sync'
ExecStopPost=/bin/sh -c 'echo finish-install \$EXIT_STATUS > /dev/ttyS0; systemctl --no-block poweroff'
[Install]
WantedBy=multi-user.target
END
ln -sf ../finish-install.service "$root/etc/systemd/system/multi-user.target.wants/finish-install.service"

kernel=$(basename "$(ls "$root"/boot/vmlinuz-* | tail -1)")
initrd=initrd.img-${kernel#vmlinuz-}
# The first start of a computer with a BIOS has no boot loader yet.
cp "$root/boot/$kernel" "$work/vmlinuz"
cp "$root/boot/$initrd" "$work/initrd.img"
cat > "$root/boot/grub/grub.cfg" <<END
linux /boot/$kernel root=UUID=$fs ro console=ttyS0
initrd /boot/$initrd
boot
END

mib=1048576
first=uefi
[ "$LAPTOP_FIRMWARE" = bios ] && first=21686148-6449-6E6F-744E-656564454649
esp_at=1 esp_size=128 root_at=129 root_size=$LAPTOP_ROOT_MIB swap_size=$LAPTOP_SWAP_MIB
swap_at=$((root_at + root_size))
rm -f "$disk"
truncate -s $(((swap_at + swap_size + 1) * mib)) "$disk"
sfdisk -q "$disk" <<END
label: gpt
start=$((esp_at * 2048)), size=$((esp_size * 2048)), type=$first
start=$((root_at * 2048)), size=$((root_size * 2048)), type=linux
END
if [ "$swap_size" -gt 0 ]; then
    echo "start=$((swap_at * 2048)), size=$((swap_size * 2048)), type=swap" | sfdisk -q --append "$disk"
    dd if=/dev/zero of="$work/swap" bs=$mib count=0 seek="$swap_size" status=none
    mkswap -q -U $swap "$work/swap"
    dd if="$work/swap" of="$disk" bs=$mib count=1 seek=$swap_at conv=notrunc status=none
    rm -f "$work/swap"
fi
if [ "$LAPTOP_FIRMWARE" != bios ]; then
esp=$work/esp.img
rm -f "$esp"
truncate -s ${esp_size}M "$esp"
mkfs.vfat -F 32 -s 1 -i "$(echo $efi | tr -d -)" "$esp" > "$work/vfat.log"
cat > "$work/grub.cfg" <<END
search.fs_uuid $fs root
set prefix=(\$root)'/boot/grub'
configfile \$prefix/grub.cfg
END
mmd -i "$esp" ::EFI ::EFI/BOOT ::EFI/debian
mcopy -i "$esp" "$root/usr/lib/shim/shimx64.efi.signed" ::EFI/BOOT/BOOTX64.EFI
mcopy -i "$esp" "$root/usr/lib/grub/x86_64-efi-signed/grubx64.efi.signed" ::EFI/BOOT/grubx64.efi
mcopy -i "$esp" "$work/grub.cfg" ::EFI/debian/grub.cfg
dd if="$esp" of="$disk" bs=$mib seek=$esp_at conv=notrunc,sparse status=none
rm -f "$esp"
fi
mke2fs -q -F -t ext4 -U $fs -E offset=$((root_at * mib)) -d "$root" "$disk" $((root_size * 1024))k
