/** The read-me of the package, for the person who has unpacked it. */
export const readMe = (version: string): string => `# Gatehouse ${version}

    ./gatehouse start

It prints the address and a link that makes the first admin. Nothing else has to be installed: Node.js is inside. This
folder is never written, and can be owned by root.

    ./gatehouse doctor     whether all is well
    ./gatehouse reload     new workers with what .env says now, with WORKERS=2 or more
    ./gatehouse --help     all commands

Settings are read from the environment and from \`.env\` in SETTINGS_DIR, which is /etc/gatehouse where that is there, else
~/.local/share/gatehouse. Data is in \`data\` beside it, or in DATA_DIR. \`.env.example\` has every setting.

The server answers /docs with its documentation, for this version.

CHANGELOG.md says what changed, sbom.json (CycloneDX) what is inside.
`;
