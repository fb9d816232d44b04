/** The arrows of this project: apps → adapters → core, apps → core; the core imports no package but fp-ts and io-ts. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** Packages that are bundled into the build, so that an embedder of the core does not install a server. */
const BUNDLED = [
  ...['@koa/router', 'koa', 'koa-body'],
  ...[
    'csv-parse',
    'chart\\.js',
    'csv-stringify',
    'eta',
    'hucre',
    'image-size',
    'ipaddr\\.js',
    'jose',
    'pdf-lib',
    '@pdf-lib/fontkit',
    'pino',
    'preact',
    '@preact/signals',
    'prom-client',
    'qrcode',
    'scrypt-js',
  ],
]

/** Optional peers: installed by users of the store, the mirror or the telemetry that needs them. */
const PEERS = [
  '@google-cloud/firestore',
  '@opentelemetry/[a-z-]+',
  '@photostructure/sqlite',
  '@simplewebauthn/server',
  'mongodb',
]

module.exports = {
  forbidden: [
    forbid(
      'core-is-independent',
      'the core imports no adapter and no app',
      { path: '^core/' },
      { pathNot: '^core/|(^|/)node_modules/(fp-ts|io-ts)/' },
    ),
    forbid(
      'one-import-of-fp',
      'fp-ts is imported by core/failure.ts alone, io-ts by core/kernel/records/record.ts alone',
      { path: '^(core|adapters|apps|tests)/', pathNot: '^core/(failure|kernel/records/record)\\.ts$' },
      { path: 'node_modules/(fp-ts|io-ts)/' },
    ),
    forbid(
      'two-businesses',
      'payments and real estate never import each other',
      { path: '^core/payments/' },
      { path: '^core/real-estate/' },
    ),
    forbid(
      'two-businesses-back',
      'payments and real estate never import each other',
      { path: '^core/real-estate/' },
      { path: '^core/payments/' },
    ),
    forbid(
      'kernel-below',
      'the kernel and the ports import neither the office nor a business',
      { path: '^core/(kernel|ports)/' },
      { path: '^core/(office|payments|real-estate)/' },
    ),
    forbid(
      'office-below',
      'the office imports no business',
      { path: '^core/office/' },
      { path: '^core/(payments|real-estate)/' },
    ),
    forbid('adapters-below-apps', 'adapters import no app', { path: '^adapters/' }, { path: '^apps/' }),
    forbid(
      'optional-peers-when-needed',
      'apps load the adapters of optional packages when they need them, and name none of their types: both may be absent',
      { path: '^apps/' },
      { path: '^adapters/(mirror|mongodb|passkeys|tracing)/', dynamic: false },
    ),
    forbid(
      'apps-apart',
      'the two apps never import each other',
      { path: '^apps/payments/' },
      { path: '^apps/real-estate/' },
    ),
    forbid(
      'apps-apart-back',
      'the two apps never import each other',
      { path: '^apps/real-estate/' },
      { path: '^apps/payments/' },
    ),
    forbid(
      'http-below-apps',
      'the code that both servers share imports neither app',
      { path: '^apps/(http|bank|panels)/' },
      { path: '^apps/(payments|real-estate)/' },
    ),
    forbid(
      'charging-by-the-package',
      'the charging adapter uses payments through the public package and imports no business',
      { path: '^adapters/charging/' },
      { path: '^core/(payments|real-estate)/' },
    ),
    forbid('no-tests-in-code', 'code does not import tests', { path: '^(core|adapters|apps)/' }, { path: '^tests/' }),
    forbid(
      'no-dev-in-code',
      'product code imports only dependencies, peers and bundled packages',
      { path: '^(core|adapters|apps)/', pathNot: '^(apps/packaging/|adapters/[a-z/-]+-start\\.mjs$)' },
      { dependencyTypes: ['npm-dev'], pathNot: `node_modules/(@types|${[...BUNDLED, ...PEERS].join('|')})/` },
    ),
    forbid(
      'no-cycles',
      'modules import each other without cycles',
      { path: '^(core|adapters|apps)/' },
      { circular: true },
    ),
    {
      ...forbid(
        'no-folder-cycles',
        'folders import each other without cycles',
        { path: '^(core|adapters|apps)/' },
        { circular: true },
      ),
      scope: 'folder',
    },
    forbid(
      'no-cycles-in-tests',
      'tests import each other without cycles, types aside',
      { path: '^tests/' },
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    forbid('resolves', 'every import resolves', {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
