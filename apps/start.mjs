#!/usr/bin/env node
// The entry point of all programs and of the build. Any Node can parse it, and too old ones are refused before they
// load the rest.
import { existsSync, readFileSync } from 'node:fs'

const PROGRAMS = {
  start: ['', 'runs both APIs'],
  demo: ['', 'shows the first day of a merchant on a fresh store'],
  'demo-real-estate': ['', 'shows the first day of an agency on a fresh store'],
  audit: ['', 'verifies the ledger and the audit trail of the store'],
  reconcile: ['[--day YYYY-MM-DD]', 'compares a day of the bank with the ledger; yesterday by default'],
  'reset-second-factor': ['EMAIL', 'removes the second factor of a person who lost every proof of it'],
  backup: ['DIR [--with-keys]', 'copies a SQLite store and its files, also while the server runs'],
  restore: ['DIR', 'restores a copy where there is no store'],
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
const [name = 'start', ...options] = process.argv.slice(2).filter((each) => each !== '')
const wantsHelp = options.includes('--help') || options.includes('-h')
const hasSources = existsSync(here('../tsup.config.ts'))

// A checkout is built if needed; an installed package contains the build.
const build = () =>
  hasSources ? import('./packaging/build.mjs').then(({ buildIfStale }) => buildIfStale()) : Promise.resolve(true)

// In this process: a parent process would not forward signals.
const run = (isBuilt) => (isBuilt ? import(here(`../dist/${name}.js`)) : refuse('the build failed'))

if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  refuse(`Node ${process.versions.node} is too old: Portico needs Node ${major}.${minor} or newer`)
} else if (wantsHelp || ['help', '--help', '-h'].includes(name)) {
  const lines = Object.entries(PROGRAMS).map(([each, [args, effect]]) => `  ${`${each} ${args}`.padEnd(30)}${effect}`)
  process.stdout.write(
    `Usage: portico [COMMAND]\n\n${lines.join('\n')}\n\n'portico' alone is 'portico start'. Settings are environment variables, listed in apps/README.md.\n`,
  )
} else if (['version', '--version', '-v'].includes(name)) {
  process.stdout.write(`${version}\n`)
} else if (name === 'build' && hasSources) {
  build().then((isBuilt) => isBuilt || refuse('the build failed'))
} else if (!Object.hasOwn(PROGRAMS, name)) {
  refuse(`portico: got ${name}, accepts ${Object.keys(PROGRAMS).join(', ')}`, UNKNOWN_PROGRAM)
} else build().then(run)
