"""Writes what is inside of a release as CycloneDX 1.6: the libraries that are built in, with versions and licences, and the files
with their digests. The same release gives the same bytes.

usage: sbom.py VERSION VERSIONS FILE...      VERSIONS: lines of a library and its version (scripts/bundle.sh)
"""

import datetime
import hashlib
import os
import sys
import uuid

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

LICENCES = {"jansson": "MIT", "nettle": "LGPL-3.0-or-later OR GPL-2.0-or-later", "protobuf-c": "BSD-2-Clause", "xxhash": "BSD-2-Clause",
            "onnx": "Apache-2.0"}


def licence(text):
    return [LicenseExpression(text) if " " in text else DisjunctiveLicense(id=text)]


def sha256(path):
    with open(path, "rb") as f:
        return [HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(f.read()).hexdigest())]


def main():
    version, versions, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    bom = Bom()
    tenure = Component(name="tenure", version=version, type=ComponentType.LIBRARY, licenses=licence("Apache-2.0"), bom_ref="tenure")
    bom.metadata.component = tenure
    bom.metadata.timestamp = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.UTC)
    with open(versions, encoding="utf-8") as f:
        inside = [Component(name=name, version=number, type=ComponentType.LIBRARY, licenses=licence(LICENCES[name]), bom_ref=name,
                            purl=PackageURL("deb", "debian", name, number, {"arch": "source"}))
                  for name, number in (line.split() for line in f)]
    made = [Component(name=os.path.basename(path), type=ComponentType.FILE, hashes=sha256(path), bom_ref=os.path.basename(path)) for path in files]
    for component in inside + made:
        bom.components.add(component)
    bom.register_dependency(tenure, inside)
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, "tenure " + version + "".join(str(h.content) for c in made for h in c.hashes))
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    if wrong := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        sys.exit(f"sbom.py: {wrong}")
    print(text)


if __name__ == "__main__":
    main()
