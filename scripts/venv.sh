# Sourced with $root set: sees to it that $root/.venv is there and fits the lock file.
# Nothing but two comparisons if it does; else scripts/bootstrap.py makes or mends it.

# What bootstrap.py writes as its last act: the checkout's place and the two files that it followed.
contsim_ready() {
    stamp="$root/.venv/contsim-stamp"
    [ -x "$root/.venv/bin/python" ] && [ -r "$stamp/root" ] || return 1
    IFS= read -r place < "$stamp/root" || return 1
    [ "$place" = "$root" ] || return 1
    cmp -s "$root/requirements.lock" "$stamp/requirements.lock" || return 1
    cmp -s "$root/pyproject.toml" "$stamp/pyproject.toml"
}

# Whether $1 is a CPython of a version that the lock file is for, able to make a .venv.
contsim_fit() {
    command -v "$1" > /dev/null 2>&1 && "$1" "$root/scripts/bootstrap.py" --probe > /dev/null 2>&1
}

if ! contsim_ready; then
    found=
    if [ -n "${CONTSIM_PYTHON:-}" ]; then
        if ! contsim_fit "$CONTSIM_PYTHON"; then
            echo "contsim: CONTSIM_PYTHON is $CONTSIM_PYTHON, but it must be a CPython 3.11 to 3.14 with its venv module" >&2
            exit 2
        fi
        found=$CONTSIM_PYTHON
    else
        for python in python3 python3.14 python3.13 python3.12 python3.11; do
            if contsim_fit "$python"; then
                found=$python
                break
            fi
        done
    fi
    if [ -z "$found" ]; then
        echo "contsim: needs CPython 3.11 to 3.14 with its venv module, and found none as python3 or python3.11 to python3.14; install one (on Debian or Ubuntu: python3 and python3-venv) or set CONTSIM_PYTHON to it" >&2
        exit 2
    fi
    "$found" "$root/scripts/bootstrap.py" || exit
fi
