#!/usr/bin/env node
// The first file of every program, and of the build: any Node can read it, and an old one is refused before it loads the rest.
import { existsSync, readFileSync } from 'node:fs'

const PROGRAMS = ['start', 'demo', 'demo-real-estate', 'audit', 'reconcile', 'backup', 'restore']
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
const name = process.argv[2] || 'start'
const hasSources = existsSync(here('../tsup.config.ts'))

// Sources build themselves; what was installed is built.
const built = () =>
  hasSources ? import('./packaging/build.mjs').then(({ builtAnew }) => builtAnew()) : Promise.resolve(true)

// In this process: one between would keep signals to itself.
const run = (isBuilt) => (isBuilt ? import(here(`../dist/${name}.js`)) : refuse('cannot be built'))

if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  refuse(`Node ${process.versions.node} is too old: Portico needs Node ${major}.${minor} or newer`)
} else if (['help', '--help', '-h'].includes(name)) {
  process.stdout.write(
    `portico ${PROGRAMS.join(' | portico ')}\nportico --version\nThe settings are variables of the environment: see README.\n`,
  )
} else if (['version', '--version', '-v'].includes(name)) {
  process.stdout.write(`${version}\n`)
} else if (name === 'build' && hasSources) {
  built().then((isBuilt) => isBuilt || refuse('cannot be built'))
} else if (!PROGRAMS.includes(name)) {
  refuse(`there is no program ${name}: ${PROGRAMS.join(', ')}`, UNKNOWN_PROGRAM)
} else built().then(run)
