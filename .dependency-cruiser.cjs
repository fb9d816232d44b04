/** The arrows of this project: apps → adapters → core, apps → core; the core imports no package but fp-ts and io-ts. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** They go into what is built: who installs the package for its core should not install a server. */
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
    'prom-client',
    'qrcode',
    'scrypt-js',
  ],
]

/** Whoever uses the store or the mirror that one of them is for installs it. */
const PEERS = ['@google-cloud/firestore', '@opentelemetry/[a-z-]+', '@photostructure/sqlite', 'mongodb']

module.exports = {
  forbidden: [
    forbid(
      'core-stays-home',
      'the core knows no adapter and no app',
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
      'the kernel knows no business, nor what every one needs',
      { path: '^core/(kernel|ports)/' },
      { path: '^core/(office|payments|real-estate)/' },
    ),
    forbid(
      'office-below',
      'what every business needs knows none',
      { path: '^core/office/' },
      { path: '^core/(payments|real-estate)/' },
    ),
    forbid('adapters-below-apps', 'an adapter knows no app', { path: '^adapters/' }, { path: '^apps/' }),
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
      'what both servers share knows neither',
      { path: '^apps/(http|bank)/' },
      { path: '^apps/(payments|real-estate)/' },
    ),
    forbid(
      'charging-by-the-door',
      'who charges for an agency embeds payments as anybody does, and knows no agency',
      { path: '^adapters/charging/' },
      { path: '^core/(payments|real-estate)/' },
    ),
    forbid('no-tests-in-code', 'code does not import tests', { path: '^(core|adapters|apps)/' }, { path: '^tests/' }),
    forbid(
      'no-dev-in-code',
      'what ships imports only dependencies, and what goes into what is built',
      { path: '^(core|adapters|apps)/', pathNot: '^(apps/packaging/|adapters/[a-z/-]+-start\\.mjs$)' },
      { dependencyTypes: ['npm-dev'], pathNot: `node_modules/(@types|${[...BUNDLED, ...PEERS].join('|')})/` },
    ),
    forbid('no-circles', 'modules import in no circle', { path: '^(core|adapters|apps)/' }, { circular: true }),
    {
      ...forbid('no-folder-circles', 'nor do folders', { path: '^(core|adapters|apps)/' }, { circular: true }),
      scope: 'folder',
    },
    forbid(
      'no-circles-in-tests',
      'nor do tests, but for types',
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
