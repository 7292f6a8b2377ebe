#!/bin/sh
# Installs the library with packaging/install.sh, moves it, and builds and runs programs with what was installed, in each of
# the ways that C projects have: CMake, Meson, pkg-config, plain cc; shared, static and preloaded. With --debian does the
# same with Debian's packages, which as root it installs and removes again. Prints a row for each check, and exits 1 when
# one fails. Takes Debian's packages cmake, meson, pkg-config and man-db; for --debian dpkg-dev and debhelper.
set -eu
cd "$(dirname "$0")/.."
source=$PWD
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR="$target"
built=$target/release
verify=$built/halfulp-verify
install=$source/packaging/install.sh
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
soname=libhalfulp.so.${version%%.*}
programs="knows_math_h knows_halfulp_h"
part='' installed=''
work=$(mktemp -d)
# shellcheck disable=SC2086 # packages are words
trap 'rm -rf "$work"; [ -z "$installed" ] || dpkg --purge $installed' EXIT
unset DESTDIR LD_PRELOAD LD_LIBRARY_PATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH

. tests/rows.sh

# have COMMAND...: if they are not all there, a row names the first that is missing.
have() {
    for tool in "$@"; do
        if ! command -v "$tool" >/dev/null; then
            row "everything" "skipped: $tool is missing"
            return 1
        fi
    done
}

# refused MESSAGE COMMAND...: the command fails, with this in what it says.
refused() {
    message=$1
    shift
    if "$@" >"$work/said" 2>&1; then
        echo "succeeds: $*"
        return 1
    fi
    grep -q -F -e "$message" "$work/said" || {
        cat "$work/said"
        return 1
    }
}

# is_shared PROGRAM, is_static PROGRAM: where the program has the functions from. LD_LIBRARY_PATH counts.
is_shared() {
    readelf -d "$1" | grep -q -F "[$soname]" && "$verify" doctor "$1"
}
is_static() {
    ! readelf -d "$1" | grep -F "[$soname]" && "$verify" doctor "$1"
}

# Programs that a build system has built, with those names.
programs_are_linked() {
    for program in $programs; do
        is_shared "$1/${program}_halfulp" && is_static "$1/${program}_static" || return
    done
}

# compiled LINK ARGUMENT...: each program, linked so.
compiled() {
    link=$1
    shift
    for program in $programs; do
        "${CC:-cc}" -std=c99 -O2 "-DVERSION=\"$version\"" "$source/tests/install/$program.c" -o "$work/$program" "$@" &&
            "$work/$program" && "is_$link" "$work/$program" || return
    done
}

# with_pkg_config LINK OPTION...: pkg-config quotes for the shell.
with_pkg_config() {
    link=$1
    shift
    eval "compiled $link $* $(pkg-config --cflags --libs halfulp) -Wl,-Bdynamic -lm"
}

cmake_builds() {
    rm -rf "$work/cmake"
    cmake -S tests/install -B "$work/cmake" "$@" && cmake --build "$work/cmake" && ctest --test-dir "$work/cmake" &&
        programs_are_linked "$work/cmake"
}

meson_builds() {
    rm -rf "$work/meson"
    meson setup "$work/meson" tests/install && meson test -C "$work/meson" && programs_are_linked "$work/meson"
}

# The archive: one object, and no name but the promised ones can meet those of a program.
archive_is_slim() {
    [ "$(ar t "$1/libhalfulp.a")" = halfulp.o ] &&
        nm -g --defined-only "$1/libhalfulp.a" | awk 'NF == 3 { print $3 }' | sort >"$work/global" &&
        nm -D --defined-only "$1/libhalfulp.so" | awk '{ print $3 }' | sort | diff - "$work/global"
}

links_are_right() {
    [ "$(readlink "$1/libhalfulp.so")" = "$soname" ] && [ "$(readlink "$1/$soname")" = "libhalfulp.so.$version" ] &&
        [ "$(find "$1" -maxdepth 1 -type f -name 'libhalfulp.so*')" = "$1/libhalfulp.so.$version" ]
}

# The manual has pages for all that is in the header, which are without faults.
man_pages_are_right() {
    for name in $(grep -o 'halfulp_[a-z0-9_]*(' "$source/include/halfulp.h" | tr -d '(' | sort -u); do
        page=$(MANPATH="$1" man --path 3 "$name") && [ "${page#"$1/man3/halfulp.3"}" != "$page" ] || return
    done
    for page in "$1"/man1/halfulp-*.1* "$1"/man3/halfulp.3*; do
        LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null |
            tee "$work/faults"
        [ ! -s "$work/faults" ] || return
    done
}

run_preloads() {
    "${CC:-cc}" -std=c99 -O2 "$source/tests/install/knows_math_h.c" -o "$work/plain" -lm && "$1" "$work/plain" &&
        refused "not from halfulp" "$verify" doctor "$work/plain" && "$1" "$verify" doctor "$work/plain" &&
        LD_PRELOAD=libm.so.6 "$1" printenv LD_PRELOAD >"$work/preload" &&
        grep -q "^libm\.so\.6:.*$soname$" "$work/preload" && [ "$("$1" printf '%s|' a 'b  c')" = "a|b  c|" ]
}

run_fails_clearly() {
    refused "name the program" "$1" && refused "unknown option" "$1" --never && refused "nowhere" "$1" ./nowhere || return
    mkdir -p "$work/bare/bin" && cp "$1" "$work/bare/bin" && refused "is missing" "$work/bare/bin/halfulp-run" true
}

# consumers PREFIX LIBDIR: every way to use what lies there.
consumers() {
    there=$1 libraries=$1/$2
    check "links of the shared library" links_are_right "$libraries"
    check "the shared library's symbols" "$verify" symbols "$libraries/libhalfulp.so"
    check "the archive's symbols" "$verify" symbols "$libraries/libhalfulp.a"
    check "the archive is one object" archive_is_slim "$libraries"
    check "halfulp-run" run_preloads "$there/bin/halfulp-run"
    if "$work/plain" >"$work/said"; then
        row "the system's libm alone" "skipped: it is right where glibc 2.36 is wrong, so that results don't tell the two apart"
    else
        row "the system's libm alone" "ok: $(grep -c 'instead of' "$work/said") results of 5 wrong"
    fi
    check "errors of halfulp-run" run_fails_clearly "$there/bin/halfulp-run"
    if have man; then
        check "man pages" man_pages_are_right "$there/share/man"
    fi
    (
        export LD_LIBRARY_PATH="$libraries"
        check "cc, shared" compiled shared -I"$there/include" -L"$libraries" -lhalfulp -lm
        check "cc, static" compiled static -I"$there/include" "$libraries/libhalfulp.a" -lm
        check "cc, all of it static" compiled static -I"$there/include" -static -L"$libraries" -lhalfulp -lm
        export PKG_CONFIG_PATH="$libraries/pkgconfig"
        if have pkg-config; then
            check "pkg-config, shared" with_pkg_config shared
            check "pkg-config, static" with_pkg_config static -Wl,-Bstatic
            if have meson; then
                check "Meson, shared and static" meson_builds
            fi
        fi
        exit $status
    ) || status=1
    if have cmake ctest; then
        check "CMake, shared and static" cmake_builds "-DCMAKE_PREFIX_PATH=$there"
        check "CMake, version 1 refused" refused 'version "1.0"' cmake_builds "-DCMAKE_PREFIX_PATH=$there" -DWANTED=1.0
    fi
}

# What is said of bad input, before anything is written.
errors_are_clear() {
    refused "unknown option --never" "$install" --never &&
        refused "takes a folder" "$install" --prefix &&
        refused "an absolute path" "$install" --prefix=here &&
        refused "is not in /usr" "$install" --prefix=/usr --libdir=/opt/lib &&
        refused "may not be empty" "$install" --libdir=../lib &&
        refused "of letters" "$install" --libdir="two levels" &&
        refused "no folder that you may write into" "$install" --built="$built" --prefix="$source/Cargo.toml/here" &&
        refused "there is no" "$install" --built="$work" --prefix="$work/never" &&
        refused "ld-of-nowhere is missing" env LD=ld-of-nowhere "$install" --built="$built" --prefix="$work/never" &&
        [ ! -e "$work/never" ]
}

another_version_is_refused() {
    mkdir -p "$work/other" && cp "$built/libhalfulp.a" "$work/other" &&
        "${CC:-cc}" -shared -Wl,-soname,libhalfulp.so.99 -o "$work/other/libhalfulp.so" -x c /dev/null &&
        refused "is not named $soname" "$install" --built="$work/other" --prefix="$work/never"
}

# uninstalled TREE OPTION...
uninstalled() {
    tree=$1
    shift
    "$install" --uninstall "$@" && find "$tree" ! -type d >"$work/left" && cat "$work/left" && [ ! -s "$work/left" ]
}

# is_relocatable TREE: no file names the place that it was installed for, or into.
is_relocatable() {
    ! grep -r -l -F -e "$work" -e /opt/halfulp "$1"
}

cargo build --release --package halfulp --package halfulp-verify --quiet --target-dir "$target"

by_script() {
    part=DESTDIR
    check "install" env DESTDIR="$work/stage" "$install" --prefix=/opt/halfulp
    check "no file names the place" is_relocatable "$work/stage"
    # Where it was not meant to be, so that nothing can rely on the place.
    mv "$work/stage/opt/halfulp" "$work/moved"
    part=moved
    consumers "$work/moved" lib
    mv "$work/moved" "$work/stage/opt/halfulp"
    check "uninstall" uninstalled "$work/stage" --prefix /opt/halfulp --destdir "$work/stage"

    # With the libdir that Debian has, where there is one.
    part="with space"
    prefix="$work/second place"
    libdir=lib/$("${CC:-cc}" -print-multiarch)
    libdir=${libdir%/}
    check "install" "$install" --built "$built" --prefix "$prefix" --libdir "$prefix/$libdir" --with-verify
    check "install again" "$install" --built "$built" --prefix "$prefix/" --libdir "$libdir/"
    check "halfulp-verify" "$prefix/bin/halfulp-verify" --version
    consumers "$prefix" "$libdir"
    ln -s "$prefix/bin/halfulp-run" "$work/run"
    check "halfulp-run through a link" "$work/run" "$work/plain"
    check "uninstall" uninstalled "$prefix" --prefix "$prefix" --libdir "$libdir"

    part="errors"
    check "bad options and places" errors_are_clear
    check "a library of another version" another_version_is_refused
}

packages="libhalfulp0 libhalfulp-dev halfulp-run"

# In a copy, since it leaves files in the folder and beside it. -d: cargo may be rustup's.
packages_build() {
    mkdir -p "$work/debian/copy" && tar -c --exclude=./target --exclude=./.git . | tar -x -C "$work/debian/copy" &&
        (unset CARGO_TARGET_DIR && cd "$work/debian/copy" && dpkg-buildpackage -us -uc -b -d) || return
    for package in $packages; do
        dpkg -x "$work/debian/$package"_*.deb "$work/extracted" || return
    done
}

# The library that programs run with comes without what they are built with, and the other way round.
packages_are_apart() {
    dpkg -c "$work"/debian/libhalfulp0_*.deb | awk '/^[^d].*libhalfulp\./ { print $6 }' | sort >"$work/files"
    printf './usr/lib/%s/%s\n' "$multiarch" "$soname" "$multiarch" "libhalfulp.so.$version" | diff - "$work/files" &&
        dpkg -f "$work"/debian/libhalfulp-dev_*.deb Depends | grep -q -F "libhalfulp0 (= $version-"
}

are_installed() {
    # shellcheck disable=SC2086 # packages are words
    dpkg-query --status $packages 2>/dev/null | grep -q '^Status: .* installed$'
}

# With nothing but the names: what the packages are for.
installed_serves() {
    compiled shared -lhalfulp -lm && compiled static -l:libhalfulp.a -lm && with_pkg_config shared && run_preloads halfulp-run
}

by_debian() {
    part="Debian"
    have dpkg-buildpackage dh || return 0
    multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
    check "packages build" packages_build
    [ "$status" = 0 ] || return 0
    check "packages are apart" packages_are_apart
    consumers "$work/extracted/usr" "lib/$multiarch"
    if [ "$(id -u)" != 0 ]; then
        row "installation" "skipped: only root may install packages"
    elif are_installed; then
        row "installation" "skipped: halfulp is installed already"
    else
        installed=$packages
        for package in $packages; do
            set -- "$@" "$work/debian/$package"_*.deb
        done
        check "packages are installed" dpkg -i "$@"
        check "installed, without a path" installed_serves
        check "installed, CMake" cmake_builds
        # shellcheck disable=SC2086 # packages are words
        check "packages are removed" dpkg --purge $packages
        installed=
        check "removed, cc finds nothing" refused "cannot find -lhalfulp" compiled shared -lhalfulp -lm
    fi
}

case ${1-} in
'') by_script ;;
--debian) by_debian ;;
*)
    echo "usage: tests/install.sh [--debian]" >&2
    exit 2
    ;;
esac
[ "$status" = 0 ]
