#!/bin/sh
# Makes a disk with a Debian that has what a package depends on, by what its own apt says, and not the package itself.
#   install.sh FOLDER MIRROR SUITE PACKAGE
# It needs the administrator's rights for debootstrap's chroot, in a mount namespace of its own, and nothing of this
# computer's disks.
set -eu
work=$1 mirror=$2 suite=$3 package=$4
root=$work/root disk=$work/disk.img
export PATH=$PATH:/usr/sbin:/sbin LC_ALL=C DEBIAN_FRONTEND=noninteractive

rm -rf "$root"
# debootstrap does not choose among those who provide a package (polkitd wants a logind).
# What it mounts goes with its namespace.
unshare --mount --propagation private debootstrap --variant=minbase \
    --include=systemd-sysv,udev,dbus,linux-image-cloud-amd64,initramfs-tools,libpam-systemd,polkitd,procps,kmod,zstd,e2fsprogs,man-db,xvfb,x11-utils \
    "$suite" "$root" "$mirror"

echo "deb $mirror $suite main" > "$root/etc/apt/sources.list"
echo package > "$root/etc/hostname"
printf '127.0.0.1 localhost package\n' > "$root/etc/hosts"
echo '/dev/vda2 / ext4 errors=remount-ro 0 1' > "$root/etc/fstab"
chroot "$root" useradd -m -s /bin/sh me
# The index of all manual pages takes an emulated processor minutes, and `man` does without.
rm -f "$root/var/lib/man-db/auto-update"
# Nothing is started while packages are installed into a folder.
printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
cp "$package" "$root/var/tmp/package.deb"
cp /etc/resolv.conf "$root/etc/resolv.conf"

# shellcheck disable=SC2016
unshare --mount --propagation private sh -eu -c '
    mount -t proc proc "$1/proc"
    mount -t tmpfs none "$1/tmp"
    apt() { chroot "$1" apt-get -q -y --no-install-recommends "$2" $3; }
    apt "$1" update ""
    # Those that it depends on, as apt would have brought them.
    others=$(chroot "$1" apt-get -q -y --no-install-recommends --dry-run install /var/tmp/package.deb |
        sed -n "s/^Inst \([^ ]*\) .*/\1/p" | grep -v "^latchkey$")
    apt "$1" install "$others"
    chroot "$1" apt-mark auto $others > /dev/null
    # What it recommends, and what somebody installs whose system is to be encrypted.
    recommended="cryptsetup-bin shim-signed grub-efi-amd64-signed busybox-static kbd console-setup"
    apt "$1" install "$recommended"
    chroot "$1" apt-mark auto $recommended > /dev/null
    apt "$1" install "cryptsetup cryptsetup-initramfs"
    chroot "$1" apt-get clean
' sh "$root"
rm -f "$root/usr/sbin/policy-rc.d" "$root/var/tmp/package.deb" "$root/var/lib/apt/lists/"*_*

kernel=$(basename "$(ls "$root"/boot/vmlinuz-* | tail -1)")
cp "$root/boot/$kernel" "$work/vmlinuz"
cp "$root/boot/initrd.img-${kernel#vmlinuz-}" "$work/initrd.img"

mib=1048576 size=3000
rm -f "$disk"
truncate -s $(((size + 3) * mib)) "$disk"
printf 'label: gpt\nstart=2048, size=2048\nstart=4096, size=%s, type=linux\n' $((size * 2048)) | sfdisk -q "$disk"
mke2fs -q -F -t ext4 -E offset=$((2 * mib)) -d "$root" "$disk" $((size * 1024))k
rm -rf "$root"
