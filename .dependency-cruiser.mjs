// The arrows of the house (ARCHITECTURE.md): they point inward, and the vendors stay with the one room that speaks to them.

const rooms = 'policy|store|model|tools|slack|audit|local|config';

/** A package, wherever it is installed. */
const npm = names => `(^|/)node_modules/(${names})(/|$)`;

/** Nobody but these rooms (and tests) imports this package. */
const vendor = (name, names, homes) => ({
  name,
  severity: 'error',
  comment: `Only src/${homes} speaks to this vendor; everybody else has a port.`,
  from: { path: '^src/', pathNot: `^src/(${homes})/` },
  to: { path: npm(names) },
});

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Two files that need each other are one file, or three.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'thread-is-pure',
      severity: 'error',
      comment: 'The core imports itself, zod, dayjs, canonicalize and node:crypto; nothing else.',
      from: { path: '^src/thread/' },
      to: { pathNot: ['^src/thread/', npm('zod|dayjs|canonicalize'), '^(node:)?crypto$'] },
    },
    {
      name: 'worker-knows-only-thread',
      severity: 'error',
      comment: 'The worker reaches everything else through src/worker/ports.ts.',
      from: { path: '^src/worker/' },
      to: { path: '^src/', pathNot: '^src/(worker|thread)/' },
    },
    {
      name: 'worker-has-no-vendor',
      severity: 'error',
      comment: 'What the worker needs from outside is a port.',
      from: { path: '^src/worker/' },
      to: { path: npm('.+'), pathNot: npm('zod|dayjs|canonicalize') },
    },
    {
      name: 'adapters-stand-alone',
      severity: 'error',
      comment: 'An adapter imports the core, the ports and its own room.',
      from: { path: `^src/(${rooms})/` },
      to: { path: '^src/', pathNot: ['^src/thread/', '^src/worker/ports\\.ts$', '^src/$1/'] },
    },
    {
      name: 'roots-are-imported-by-nobody',
      severity: 'error',
      comment: 'src/*.ts and src/compose know all rooms; no room knows them.',
      from: { path: '^src/', pathNot: '^src/(compose/|[^/]+$)' },
      to: { path: '^src/(compose/|[^/]+$)' },
    },
    {
      name: 'only-known-rooms',
      severity: 'error',
      comment: 'A new room is named here, so that its arrows are checked.',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: `^src/(${rooms}|thread|worker|compose)/` },
    },
    {
      name: 'page-runs-in-the-browser',
      severity: 'error',
      comment: 'The page imports its own files and the view library; the rest of src/local runs in Node.',
      from: { path: '^src/local/page/', pathNot: '^src/local/page/serve\\.ts$' },
      to: { pathNot: ['^src/local/page/', npm('preact|htm')] },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^test/' },
    },
    {
      name: 'no-development-packages-in-the-product',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      comment: 'An import that resolves to nothing would escape every other rule.',
      from: {},
      to: { couldNotResolve: true },
    },
    vendor('openai-stays-in-model', 'openai', 'model'),
    vendor('slack-stays-in-slack', '@slack', 'slack'),
    vendor('dynamodb-stays-in-store', '@aws-sdk|@smithy', 'store'),
    vendor('embedded-parts-stay-in-local', 'dynalite|ws|preact|htm', 'local'),
    vendor('cel-stays-in-policy', '@bufbuild', 'policy'),
  ],
  options: {
    // TypeScript 7 has no parser that dependency-cruiser could use; without swc it reads no module and passes.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
