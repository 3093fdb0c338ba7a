"""Files of figures: CSV with a head, lines that end alike everywhere."""

import csv
import os


def write(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(columns)
        out.writerows(rows)


def keep(path, columns, rows, key, check):
    """Rows of texts that were measured replace those of the file with the same key, a function of a row; with `check` they
    must be the same, and nothing is written. What `tenure` exits with, and all rows by their keys."""
    known = {}
    if os.path.exists(path):
        with open(path, newline="", encoding="utf-8") as f:
            known = {key(row): row for row in list(csv.reader(f))[1:]}
    different = [row for row in rows if known.get(key(row)) != row]
    known.update((key(row), row) for row in rows)
    if not check:
        write(path, columns, (row for _, row in sorted(known.items())))
        return 0, known
    for row in different:
        print("not as in the file:", *row)
    return 1 if different else 0, known
