#!/bin/sh
# Puts the container image's file system together in /image (Dockerfile): Python and the libraries it loads, from Debian's
# packages without their scripts, and the virtual environment /app. There is no shell and no package manager in it.
set -eu

apt-get update -qq
apt-get install -y -qq --no-install-recommends binutils ca-certificates python3-venv >/dev/null
python3 -m venv /app
PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt /app/bin/pip install \
	--quiet --no-cache-dir --no-compile --disable-pip-version-check '.[server,postgres]'

mkdir -p /packages /image
cd /packages
apt-get download -qq base-files libc6 libgcc-s1 libstdc++6 \
	python3.13-minimal libpython3.13-minimal libpython3.13-stdlib \
	libbz2-1.0 libexpat1 libffi8 liblzma5 libsqlite3-0 libssl3t64 libuuid1 libzstd1 zlib1g
for package in *.deb; do
	dpkg --extract "$package" /image
	# Where scanners look for the packages of an image without a package manager.
	mkdir -p /image/var/lib/dpkg/status.d
	dpkg-deb --field "$package" >"/image/var/lib/dpkg/status.d/${package%%_*}"
done
ln -s python3.13 /image/usr/bin/python3
install -D -m 644 /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ca-certificates.crt
echo 'pyramidion:x:10001:10001::/tmp:/app/bin/python' >/image/etc/passwd
echo 'pyramidion:x:10001:' >/image/etc/group
install -d -m 700 -o 10001 -g 10001 /image/data /image/cache
install -d -m 1777 /image/tmp

# What a server never reads: manuals, character sets of other systems, tests, headers, symbols, languages without translations.
cp -a /app /image/app
cd /image
rm -rf usr/share/doc usr/share/man usr/share/lintian usr/share/i18n usr/lib/*/gconv
cd /image/app/lib/python3.13/site-packages
rm -rf pip pip-*.dist-info
find . -type d \( -name tests -o -name test \) -prune -exec rm -rf {} +
find /image -name '__pycache__' -prune -exec rm -rf {} +
rm -rf numpy/_core/include numpy/f2py
find babel/locale-data -type f ! -name 'root.dat' ! -name 'en*' ! -name 'fr*' ! -name 'pt*' ! -name 'zh*' -delete
find . -name '*.so*' -type f -exec strip --strip-unneeded {} +
