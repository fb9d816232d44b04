import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../root.ts'

// `npm run check` runs every script of `package.json` that is called `check:`, as many at once as there are processors,
// in the order in which they stand there: what takes longest stands first. Each says what it has to say when it is
// done.

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}
const steps = Object.entries(scripts).filter(([name]) => name.startsWith('check:'))

const run = (name: string, command: string): Promise<void> =>
  new Promise((done) => {
    const from = performance.now()
    // The programs are found where npm looks for them: this is run by `npm run`.
    const child = spawn(command, { cwd: ROOT, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece))
    child.on('close', (code) => {
      const seconds = Math.round((performance.now() - from) / 1_000)
      process.stdout.write(
        `${code === 0 ? 'passed' : 'FAILED'}  ${name}  ${seconds} s\n${code === 0 ? '' : `${said}\n`}`,
      )
      if (code !== 0) process.exitCode = 1
      done()
    })
  })

const lane = async (): Promise<void> => {
  for (let next = steps.shift(); next; next = steps.shift()) await run(...next)
}
await Promise.all(Array.from({ length: availableParallelism() }, lane))
