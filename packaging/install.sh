#!/bin/sh
# Installs the library as C programs expect it, or removes it again:
#
#   lib/libhalfulp.so -> libhalfulp.so.0 -> libhalfulp.so.0.1.0
#   lib/libhalfulp.a              one object, in which only the promised names are global
#   lib/pkgconfig/halfulp.pc      lib/cmake/halfulp/     for find_package(halfulp CONFIG)
#   include/halfulp.h             bin/halfulp-run        share/man/
#
# What is installed finds its files relative to itself: the prefix may be moved. --help has the options.
set -eu
started_in=$PWD
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
soname=libhalfulp.so.${version%%.*}

usage() {
    cat <<END
usage: packaging/install.sh [OPTION...]

  --prefix=DIR     where the library will live (default: /usr/local)
  --libdir=DIR     its libraries, below the prefix (default: lib)
  --destdir=DIR    a folder to install into in the place of / (default: \$DESTDIR)
  --built=DIR      install the libhalfulp.so and libhalfulp.a of this folder (default: what cargo builds)
  --with-verify    install halfulp-verify too
  --uninstall      remove what an installation with the same options has laid down

The commands are \$CARGO, \$LD, \$AR, \$NM, \$OBJCOPY and \$READELF: name those of the target for another CPU.
END
}

fail() {
    printf 'install.sh: %s\n' "$1" >&2
    exit 1
}

prefix=/usr/local libdir=lib destdir=${DESTDIR-} built='' verify='' uninstall=''
while [ $# -gt 0 ]; do
    case $1 in
    --prefix | --libdir | --destdir | --built)
        [ $# -gt 1 ] || fail "$1 takes a folder"
        option=$1 value=$2
        shift 2
        set -- "$option=$value" "$@"
        continue
        ;;
    --prefix=*) prefix=${1#*=} ;;
    --libdir=*) libdir=${1#*=} ;;
    --destdir=*) destdir=${1#*=} ;;
    --built=*) built=${1#*=} ;;
    --with-verify) verify=yes ;;
    --uninstall) uninstall=yes ;;
    -h | --help)
        usage
        exit
        ;;
    *) fail "unknown option $1; --help has those that there are" ;;
    esac
    shift
done

# from_start DIR: a folder as the caller's shell meant it.
from_start() {
    case $1 in
    '' | /*) printf '%s' "$1" ;;
    *) printf '%s' "$started_in/$1" ;;
    esac
}

case $prefix in
/*) ;;
*) fail "the prefix is where the library will live: an absolute path, not '$prefix'" ;;
esac
prefix=${prefix%/}
libdir=${libdir%/}
case $libdir in
"$prefix"/*) libdir=${libdir#"$prefix"/} ;;
/*) fail "the libraries lie below the prefix: $libdir is not in $prefix" ;;
esac
case /$libdir/ in
*/../* | */./* | *//*) fail "the libraries lie below the prefix: '$libdir' may not be empty or hold . or .." ;;
esac
case $libdir in
*[!A-Za-z0-9_.+/-]*) fail "the libraries' folder has a name of letters, digits and _ . + -, not '$libdir'" ;;
esac
root=$(from_start "$destdir")$prefix
built=$(from_start "$built")

if [ "$uninstall" ]; then
    lib=$root/$libdir man=$root/share/man
    rm -f "$lib/libhalfulp.so" "$lib"/libhalfulp.so.* "$lib/libhalfulp.a" "$lib/pkgconfig/halfulp.pc" \
        "$lib/cmake/halfulp"/halfulpConfig*.cmake "$root/include/halfulp.h" "$root/bin/halfulp-run" \
        "$root/bin/halfulp-verify" "$man/man1/halfulp-run.1" "$man/man1/halfulp-verify.1" "$man/man3/halfulp.3" \
        "$man"/man3/halfulp_*.3 || fail "cannot remove all of it from $root"
    rmdir "$lib/cmake/halfulp" 2>/dev/null || true
    exit
fi

# Before anything is built: whether there is a place for it, and what it takes.
place=$root
while [ "$place" ] && ! [ -e "$place" ]; do
    place=${place%/*}
done
{ [ -d "${place:-/}" ] && [ -w "${place:-/}" ]; } || fail "cannot write into $root: ${place:-/} is no folder that you may write into"
ld=${LD:-ld} ar=${AR:-ar} nm=${NM:-nm} objcopy=${OBJCOPY:-objcopy} readelf=${READELF:-readelf} cargo=${CARGO:-cargo}
for tool in "$ld" "$ar" "$nm" "$objcopy" "$readelf" install; do
    command -v "$tool" >/dev/null || fail "$tool is missing: Debian has it in binutils"
done
if [ -z "$built" ] || [ "$verify" ]; then
    command -v "$cargo" >/dev/null || fail "$cargo is missing: install Rust, or name a folder with --built"
fi

target=${CARGO_TARGET_DIR:-target}
if [ -z "$built" ]; then
    "$cargo" build --release --locked --package halfulp --target-dir "$target"
    built=$target/release
fi
for file in libhalfulp.so libhalfulp.a; do
    [ -f "$built/$file" ] || fail "there is no $built/$file"
done
"$readelf" -d "$built/libhalfulp.so" | grep -q -F "soname: [$soname]" ||
    fail "$built/libhalfulp.so is not named $soname: it was not built from this source"
if [ "$verify" ]; then
    "$cargo" build --release --locked --package halfulp-verify --target-dir "$target"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Rust's archive carries hundreds of the compiler's own functions, which could take the place of the C library's in a
# program. One object takes their place, with what the exports need; all names but theirs are local.
"$nm" -D --defined-only "$built/libhalfulp.so" | awk '{ print $3 }' | sort >"$work/names"
grep -q -x halfulp_version "$work/names" || fail "$built/libhalfulp.so is not halfulp"
# shellcheck disable=SC2046 # a name is a word
"$ld" -r --gc-sections --gc-keep-exported -o "$work/linked.o" $(sed 's/^/-u /' "$work/names") "$built/libhalfulp.a"
"$objcopy" --keep-global-symbols="$work/names" --strip-debug --remove-section=.llvmbc --remove-section=.llvmcmd \
    "$work/linked.o" "$work/halfulp.o"
"$ar" crsD "$work/libhalfulp.a" "$work/halfulp.o"

# filled_in TEMPLATE FILE
filled_in() {
    sed -e "s|@VERSION@|$version|g" -e "s|@MAJOR@|${version%%.*}|g" -e "s|@SONAME@|$soname|g" -e "s|@LIBDIR@|$libdir|g" \
        -e "s|@UP@|$(printf '%s' "$libdir" | sed 's|[^/][^/]*|..|g')|g" "packaging/$1" >"$work/$2"
}
filled_in halfulp.pc.in halfulp.pc
filled_in halfulpConfig.cmake.in halfulpConfig.cmake
filled_in halfulpConfigVersion.cmake.in halfulpConfigVersion.cmake
filled_in halfulp-run.in halfulp-run
filled_in halfulp.3.in halfulp.3
grep '^halfulp_' "$work/names" | while read -r name; do
    echo '.so man3/halfulp.3' >"$work/$name.3"
done

# put MODE FOLDER FILE...
put() {
    mode=$1 folder=$root/$2
    shift 2
    { install -d "$folder" && install -m "$mode" "$@" "$folder"; } || fail "cannot write into $folder"
}
cp "$built/libhalfulp.so" "$work/libhalfulp.so.$version"
put 755 "$libdir" "$work/libhalfulp.so.$version"
ln -sf "libhalfulp.so.$version" "$root/$libdir/$soname"
ln -sf "$soname" "$root/$libdir/libhalfulp.so"
put 644 "$libdir" "$work/libhalfulp.a"
put 644 "$libdir/pkgconfig" "$work/halfulp.pc"
put 644 "$libdir/cmake/halfulp" "$work/halfulpConfig.cmake" "$work/halfulpConfigVersion.cmake"
put 644 include include/halfulp.h
put 755 bin "$work/halfulp-run"
put 644 share/man/man1 packaging/halfulp-run.1
put 644 share/man/man3 "$work"/halfulp*.3
if [ "$verify" ]; then
    put 755 bin "$target/release/halfulp-verify"
    put 644 share/man/man1 packaging/halfulp-verify.1
fi
echo "halfulp $version is in $root"
if [ -z "$destdir" ] && [ "$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then
    # The loader of glibc finds a new library by its cache alone.
    ldconfig || true
fi
