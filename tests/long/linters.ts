import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { start } from '../apps/host/process.ts'
import { inDirectory } from '../bench/http/stage.ts'
import { commandIn, exec } from '../package/packed.ts'

/** 240 packages used only for linting, installed apart from those of the project. */
const CACHE = join(homedir(), '.cache/portico-spectral')
const SPECTRAL = '@stoplight/spectral-cli@6.16.3'

interface Found {
  readonly code: string
  readonly message: string
  readonly path: readonly string[]
}

/** Returns the findings of spectral in the served documents of both APIs, a line each. */
export const linted = (): Promise<readonly string[]> =>
  inDirectory(async (directory) => {
    const command = await commandIn(CACHE, 'spectral', SPECTRAL, '--ignore-scripts')
    const app = start({ DATA_DIR: directory, STORE_URL: 'memory:' })
    try {
      const { payments, estate } = await app.ready
      const files = await Promise.all(
        [payments, estate].map(async (url, index) => {
          const file = join(directory, `${index}.json`)
          await writeFile(file, await (await fetch(`${url}/openapi.json`)).text())
          return file
        }),
      )
      // A command of its own folder finds no rules but those.
      const rules = join(directory, 'rules.yaml')
      await writeFile(rules, 'extends: ["spectral:oas"]\n')
      const options = ['--ruleset', rules, '--format', 'json', '--quiet']
      const said = await exec(command, ['lint', ...files, ...options]).catch((failed: { readonly stdout?: string }) => {
        if (!failed.stdout) throw failed
        return { stdout: failed.stdout }
      })
      const found: readonly Found[] = JSON.parse(said.stdout)
      return found.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`)
    } finally {
      app.child.kill('SIGTERM')
      await app.ended
    }
  })
