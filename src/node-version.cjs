// Loaded before everything else (`node -r`), in JavaScript so old that every Node can read it: an older Node would
// answer the first TypeScript file with a syntax error instead of this sentence.
'use strict';

const major = Number(process.versions.node.split('.')[0]);
if (!(major >= 24)) {
  process.stderr.write(
    'Countersign needs Node 24 or newer, and this is Node ' +
      process.versions.node +
      '. Install Node 24, then run it again.\n',
  );
  process.exit(2);
}
