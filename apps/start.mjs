#!/usr/bin/env node
// The first file of every program, and of the build: any Node can read it, and an old one is refused before it loads the rest.
import { existsSync, readFileSync } from 'node:fs'

const PROGRAMS = {
  start: ['', 'runs both APIs'],
  demo: ['', 'plays the first day of a merchant on a fresh store'],
  'demo-real-estate': ['', 'plays the first day of an agency on a fresh store'],
  audit: ['', 'verifies the books and the audit trail of the store'],
  reconcile: ['[--day YYYY-MM-DD]', 'compares a day of the bank with the ledger; yesterday by default'],
  backup: ['DIR [--with-keys]', 'copies a SQLite store and its files, also while the server runs'],
  restore: ['DIR', 'puts a copy back into an empty place'],
}
const UNKNOWN_PROGRAM = 2

const partsOf = (version) => version.match(/\d+/g).map(Number)
const here = (path) => new URL(path, import.meta.url)
const refuse = (line, code = 1) => {
  process.stderr.write(`${line}\n`)
  process.exitCode = code
}

const { engines, version } = JSON.parse(readFileSync(here('../package.json'), 'utf8'))
const [major, minor] = partsOf(engines.node)
const [ownMajor, ownMinor] = partsOf(process.versions.node)
const [name = 'start', ...others] = process.argv.slice(2).filter((each) => each !== '')
const asksHelp = others.includes('--help') || others.includes('-h')
const hasSources = existsSync(here('../tsup.config.ts'))

// Sources build themselves; what was installed is built.
const built = () =>
  hasSources ? import('./packaging/build.mjs').then(({ builtAnew }) => builtAnew()) : Promise.resolve(true)

// In this process: one between would keep signals to itself.
const run = (isBuilt) => (isBuilt ? import(here(`../dist/${name}.js`)) : refuse('cannot be built'))

if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  refuse(`Node ${process.versions.node} is too old: Portico needs Node ${major}.${minor} or newer`)
} else if (asksHelp || ['help', '--help', '-h'].includes(name)) {
  const lines = Object.entries(PROGRAMS).map(([each, [args, effect]]) => `  ${`${each} ${args}`.padEnd(30)}${effect}`)
  process.stdout.write(
    `Usage: portico [COMMAND]\n\n${lines.join('\n')}\n\n'portico' alone is 'portico start'. Settings are environment variables, listed in apps/README.md.\n`,
  )
} else if (['version', '--version', '-v'].includes(name)) {
  process.stdout.write(`${version}\n`)
} else if (name === 'build' && hasSources) {
  built().then((isBuilt) => isBuilt || refuse('cannot be built'))
} else if (!Object.hasOwn(PROGRAMS, name)) {
  refuse(`portico: got ${name}, accepts ${Object.keys(PROGRAMS).join(', ')}`, UNKNOWN_PROGRAM)
} else built().then(run)
