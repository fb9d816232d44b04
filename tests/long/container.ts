import { execFile, spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { exitCode } from '../ava/run.ts'
import { ROOT } from '../root.ts'

/** An instruction of a container file with its lines joined: `['RUN', 'npm ci']`. */
type Step = readonly [word: string, rest: string]

const stepsOf = (text: string): readonly Step[] =>
  text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => {
      const [, word, rest] = /^\s*([A-Z]+) (.*)$/.exec(line) ?? []
      return word === undefined || rest === undefined ? [] : [[word, rest] as const]
    })

/** The files of the base image. A step sees no other files of the host. */
const FROM_HOST = ['bin', 'lib', 'lib64', 'sbin', 'usr']
const ETC = ['ssl', 'resolv.conf', 'hosts', 'nsswitch.conf', 'ld.so.cache', 'alternatives']
const USERS = 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n'

const UNSHARE = '/usr/bin/unshare'

/** The host's way to the package registry, which a chroot does not inherit. */
const NETWORK = /^(npm_config_registry|https?_proxy|no_proxy|node_extra_ca_certs)$/i

const networkOf = async (): Promise<string> => {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry'])
  const found = Object.entries(process.env).filter(([name]) => NETWORK.test(name))
  const all = Object.entries({ ...Object.fromEntries(found), npm_config_registry: stdout.trim() })
  return all.map(([name, value]) => `${name}=${quoted(value ?? '')}`).join(' ')
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** A root file system of the host's programs, and what runs a script in it as root, with its own mounts alone. */
const openRoot = async (top: string, name: string) => {
  const root = join(top, name)
  for (const folder of ['dev', 'proc', 'etc', 'tmp', 'root', 'home/node', 'npm-cache', ...FROM_HOST])
    await mkdir(join(root, folder), { recursive: true })
  for (const each of ETC) await cp(`/etc/${each}`, join(root, 'etc', each), { recursive: true }).catch(() => {})
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (certificates) await cp(certificates, join(root, certificates)).catch(() => {})
  await writeFile(join(root, 'etc/passwd'), USERS)
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n')
  await chmod(join(root, 'tmp'), 0o1777)
  const binds = [...FROM_HOST.map((folder) => `/${folder}`), '/dev'].map(
    (path) => `mount --rbind ${path} ${root}${path}`,
  )
  const cache = `mkdir -p "$HOME/.npm" && mount --bind "$HOME/.npm" ${root}/npm-cache`
  const mounts = [...binds, cache, `mount -t proc proc ${root}/proc`].join(' && ')
  const network = await networkOf()
  const run = async (script: string, { cwd = '/', user = 'root', env = '' } = {}): Promise<void> => {
    const inside = `cd ${cwd} && env -i PATH="$PATH" HOME=/root npm_config_cache=/npm-cache npm_config_prefer_offline=true ${network} ${env} sh -ec ${quoted(script)}`
    const asUser = user === 'root' ? '' : `--userspec=${user}:${user}`
    const all = `${mounts} && chroot ${asUser} ${root} sh -c ${quoted(inside)}`
    const code = await exitCode(
      spawn(UNSHARE, ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', all], {
        stdio: ['ignore', 'inherit', 'inherit'],
      }),
    )
    if (code !== 0) throw new Error(`${name}: ended with ${code}: ${script}`)
  }
  return { root, run }
}

type Root = Awaited<ReturnType<typeof openRoot>>

const SECRETS = "JWT_SECRET='a secret of the tests, long enough to sign with' DATA_KEY=$(head -c 32 /dev/zero | base64)"
// The image's Node has SQLite, which Node 20 on the host lacks.
const STORE = isBuiltin('node:sqlite') ? '' : 'STORE_URL=memory:'
const PORTS = 'PAYMENTS_PORT=23100 REAL_ESTATE_PORT=23101'
const PROVIDER = 'IDENTITY_ISSUER=i IDENTITY_AUDIENCE=a IDENTITY_JWKS_URL=https://id.example.com/keys'

/**
 * Starts the entry point in the background, runs the health check until it passes, and ends the program by a signal.
 */
const served = (entry: string, health: string): string => `
export ${SECRETS.replace(' DATA_KEY', '; export DATA_KEY')} ${PROVIDER} ${PORTS} ${STORE} PUBLIC_URL=https://pay.example.com
${entry} & server=$!
tries=0
until ${health} 2>/dev/null; do
  tries=$((tries + 1)); [ $tries -lt 60 ] || exit 1
  kill -0 $server; sleep 1
done
kill -TERM $server
wait $server`

const wordsOf = (list: string): string => (JSON.parse(list) as string[]).map(quoted).join(' ')

/** Runs the steps of the container file in a chroot: they build the image's content, and it serves as its own user. */
export const container = async (): Promise<{ readonly isGood: boolean; readonly count: string }> => {
  const top = await mkdtemp(join(tmpdir(), 'portico-container-'))
  try {
    const roots: Root[] = []
    const commands = new Map<string, string>()
    let cwd = '/'
    let env = ''
    let user = 'root'
    const steps = stepsOf(await readFile(join(ROOT, 'apps/packaging/Containerfile'), 'utf8'))
    for (const [word, rest] of steps) {
      const stage = roots.at(-1)
      if (word === 'FROM') {
        roots.push(await openRoot(top, `stage-${roots.length + 1}`))
        ;[cwd, env, user] = ['/', '', 'root']
      } else if (!stage) throw new Error(`${word} before FROM`)
      else if (word === 'WORKDIR') {
        cwd = rest
        await mkdir(join(stage.root, cwd), { recursive: true })
      } else if (word === 'COPY') await copy(rest, stage.root, cwd, roots[0]?.root ?? '')
      else if (word === 'RUN') await stage.run(rest, { cwd, env })
      else if (word === 'ENV') env = rest
      else if (word === 'USER') user = rest
      else commands.set(word, rest)
    }
    const health = wordsOf((commands.get('HEALTHCHECK') ?? '').replace(/^.*CMD /, ''))
    const entry = `${wordsOf(commands.get('ENTRYPOINT') ?? '[]')} ${wordsOf(commands.get('CMD') ?? '[]')}`
    await roots.at(-1)?.run(served(entry, health), { cwd, env, user })
    return { isGood: true, count: `${steps.length} steps` }
  } finally {
    await rm(top, { recursive: true, force: true })
  }
}

const copy = async (words: string, root: string, cwd: string, firstStage: string): Promise<void> => {
  const from = words.startsWith('--from=build ') ? firstStage : ROOT
  const names = words.replace('--from=build ', '').split(' ')
  const target = join(root, (names.at(-1) ?? '').startsWith('/') ? '' : cwd, names.pop() ?? '')
  for (const name of names) {
    const place = names.length > 1 ? join(target, name) : target
    await mkdir(dirname(place), { recursive: true })
    await cp(join(from, name), place, { recursive: true })
  }
}
