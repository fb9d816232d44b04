// The first file of every program: whatever Node runs it can read it, and an old one is told so before it meets the rest.
import { readFileSync } from 'node:fs'

const PROGRAMS = {
  start: () => import('./main.ts'),
  demo: () => import('./demo/main.ts'),
  audit: () => import('./audit/main.ts'),
}

const partsOf = (version) => version.match(/\d+/g).map(Number)

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [major, minor] = partsOf(engines.node)
const [ownMajor, ownMinor] = partsOf(process.versions.node)
const name = process.argv[2] || 'start'
const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : null

if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  process.stderr.write(`Node ${process.versions.node} is too old: Portico needs Node ${major}.${minor} or newer\n`)
  process.exitCode = 1
} else if (!program) {
  process.stderr.write(`there is no program ${name}: ${Object.keys(PROGRAMS).join(', ')}\n`)
  process.exitCode = 1
} else {
  // TypeScript is read by tsx, in this process: a process between would keep signals to itself.
  import('tsx').then(program)
}
