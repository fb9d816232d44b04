import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import { VARIABLES } from '../../apps/host/environment.ts'
import { HEALTH_PATH } from '../../apps/http/docs/page.ts'

const run = promisify(execFile)

/** Reports whether a program is on the path; logs its absence and passes the test without it. */
export const hasProgram = async (t: ExecutionContext, program: string): Promise<boolean> => {
  const found = await run(program, ['--version']).then(
    () => true,
    () => false,
  )
  if (!found) {
    t.log(`SKIPPED: ${program} is not installed`)
    t.pass()
  }
  return found
}

export const temporaryFolder = async (t: ExecutionContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-guides-'))
  t.teardown(() => rm(folder, { recursive: true }))
  return folder
}

/** The commands of a block of a guide, and the answer that the guide shows for them. */
interface Commands {
  readonly text: string
  readonly answer: { readonly language: string; readonly text: string } | null
}

const COMMANDS = /^```sh\n([\s\S]*?)^```\n(?:\n```(json|text)\n([\s\S]*?)^```\n)?/gm

const commandsOf = (guides: string): readonly Commands[] =>
  [...guides.matchAll(COMMANDS)].map(([, text = '', language, answer = '']) => ({
    text,
    answer: language === undefined ? null : { language, text: answer },
  }))

const END = '\u001e'

/** A shell that runs one block after another and returns the output of each; rejects if a command fails. */
const openShell = (t: ExecutionContext, cwd: string) => {
  const shell = spawn('sh', ['-eu'], { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
  t.teardown(() => shell.kill())
  shell.stdout.setEncoding('utf8')
  return (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let output = ''
      const read = (chunk: string): void => {
        output += chunk
        if (!output.endsWith(END)) return
        shell.stdout.off('data', read)
        shell.off('close', stop)
        resolve(output.slice(0, -1))
      }
      const stop = (code: number | null): void => reject(new Error(`${text} ended with ${code}`))
      shell.stdout.on('data', read)
      shell.on('close', stop)
      shell.stdin.write(`${text}\nprintf '\\036'\n`)
    })
}

/**
 * Runs the commands of guides in order in one shell, and compares each output with the answer that the guide shows.
 * `before` runs before each block, with the block and the shell.
 */
export const runGuides = async (
  t: ExecutionContext,
  { guides, cwd, before }: { guides: string; cwd: string; before: (text: string, shell: Shell) => Promise<unknown> },
): Promise<void> => {
  const shell = openShell(t, cwd)
  const blocks = commandsOf(guides)
  t.true(blocks.some(({ answer }) => answer !== null))
  for (const { text, answer } of blocks) {
    await before(text, shell)
    const output = await shell(text)
    if (answer?.language === 'json') t.like(JSON.parse(output), JSON.parse(answer.text), text)
    else if (answer !== null) t.is(output.replaceAll('\r', '').trim(), answer.text.trim(), text)
  }
}

export type Shell = ReturnType<typeof openShell>

/** Returns a port that is free now, below those that the system hands out. */
export const freePort = async (): Promise<number> => {
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return port
  } catch {
    return freePort()
  } finally {
    server.close()
  }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** A program of a guide that receives webhooks. */
export interface Receiver {
  /** Resolves after it has printed a line `times` times. */
  printed(line: string, times: number): Promise<unknown>
}

const TIMES = 400

/** Writes the program of a guide in a language to the file that the guide names, and starts it by the command there. */
export const startReceiver = async (
  t: ExecutionContext,
  { guides, language, port, secret }: { guides: string; language: string; port: number; secret: string },
): Promise<Receiver> => {
  const pattern = new RegExp(`Salve como \`(.+)\` e inicie com \`(.+)\`\\.\n\n\`\`\`${language}\n([^]*?)\`\`\``)
  const [, file = '', command = '', text = ''] = pattern.exec(guides) ?? []
  const cwd = await temporaryFolder(t)
  await writeFile(join(cwd, file), text.replaceAll('8080', `${port}`))
  const [program = '', ...args] = command.replaceAll('8080', `${port}`).split(' ')
  const child = spawn(program, args, { cwd, env: { ...process.env, WEBHOOK_SECRET: secret } })
  t.teardown(() => child.kill())
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (tries === TIMES || child.exitCode !== null) throw new Error(`${command}: ${output}`)
    await sleep(50)
  }
  return {
    printed: async (line, times) => {
      while (output.split(line).length <= times)
        await Promise.race([child.stdout, child.stderr].map((stream) => once(stream, 'data')))
    },
  }
}

/** Texts in code that are no names of an API: values, files, commands, and names of HTTP and browsers. */
const FOREIGN = [
  /^(\d[\d.]*|&|true|"dryRun": true|AAAA-MM-DD|\/…)$/,
  /^(127\.0\.0\.1|https?:\S+|[\w/]+\.(mjs|py|php|md))$/,
  /^(curl|campo|API|TOKEN|USUARIO|WEBHOOK_SECRET|(node|python3|php|openssl) .*|connectAuthEmulator\(.*\))$/,
  /^(Authorization|Content-Type|EventSource|fetch|sub)$/,
]
const WORDS = ['production', 'fake', 'PROJETO', 'private address', 'portico/client', 'verifyWebhook']

/**
 * Returns the names in the prose of guides that neither the OpenAPI document beside its introduction nor the settings
 * have: routes, fields, headers, codes, events.
 */
export const unknownNames = (guides: string, document: Document): readonly string[] => {
  const { info: _, ...rest } = document
  const known = JSON.stringify(rest)
  const paths: Document['paths'] = { ...document.paths, [HEALTH_PATH]: { get: {} } }
  const has = (name: string): boolean => known.includes(`"${name}"`) || known.includes(`\`${name}\``)
  const isRoute = (method: string, path: string): boolean =>
    path.endsWith('…')
      ? Object.keys(paths).some((each) => each.startsWith(path.slice(0, -1)))
      : Object.hasOwn(paths[path] ?? {}, method.toLowerCase())
  const isKnown = (text: string): boolean => {
    // The name of a header or setting that is shown with its value.
    const [, name = text] = /^([\w-]+)(?:: |=)/.exec(text) ?? []
    const [, method = 'GET', path] = /^(?:([A-Z]+) )?(\/.*)$/.exec(name) ?? []
    if (path !== undefined) return isRoute(method, path)
    const isPath = name.includes('.') && name.split('.').every((part) => /^\d+$/.test(part) || has(part))
    return (
      has(name) || isPath || [...VARIABLES, ...WORDS].includes(name) || FOREIGN.some((pattern) => pattern.test(name))
    )
  }
  const prose = guides.replace(/^```[\s\S]*?^```$/gm, '')
  return [...new Set([...prose.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))].filter((text) => !isKnown(text))
}

interface Document {
  readonly info: unknown
  readonly paths: Readonly<Record<string, object>>
}
