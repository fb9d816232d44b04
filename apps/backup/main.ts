import { open, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { replaceFile } from '../../adapters/files/disk-files.ts'
import { secretPath } from '../../adapters/node/secrets.ts'
import { copyDatabase } from '../../adapters/sqlite/database-file.ts'
import { CannotStart, type PorticoSettings } from '../host/environment.ts'
import { requireStore } from '../host/open-store.ts'
import {
  FILES,
  fillDirectory,
  keysIn,
  openForReading,
  runCopying,
  STORE_FILE,
  say,
  storedFiles,
  storeFileOf,
  verifyCopy,
} from './copy.ts'

const USAGE = 'portico backup DIR [--with-keys]'
const WITH_KEYS = '--with-keys'

/** Copies the store of the environment, also while it serves; reports whether the audit of the copy found no fault. */
const backup = async (words: readonly string[], settings: PorticoSettings): Promise<boolean> => {
  const named = words.filter((word) => word !== WITH_KEYS)
  const [directory] = named
  if (directory === undefined || named.length > 1 || directory.startsWith('-')) throw new CannotStart(USAGE)
  const target = resolve(directory)
  const store = storeFileOf(settings, 'backup', target)
  await requireStore(settings)
  if ((await stat(store)).size === 0) throw new CannotStart(`STORE_URL: ${store} is empty (0 bytes)`)
  // A newer release has a backup command of its own, which knows what to verify.
  await (await openForReading(store))?.close()
  const keys = words.includes(WITH_KEYS) ? keysIn(settings.DATA_DIR, settings) : []
  const isSound = await fillDirectory(target, (draft) => copyInto(draft, { store, keys, settings }))
  if (!isSound) say('the store has the faults above, and so has its copy')
  say(`backup: ${target}`)
  say(lastLine(settings, keys.includes('data-key')))
  return isSound
}

interface Source {
  readonly store: string
  readonly keys: readonly ('data-key' | 'jwt-secret')[]
  readonly settings: PorticoSettings
}

const copyInto = async (draft: string, { store, keys, settings }: Source): Promise<boolean> => {
  const files = join(settings.DATA_DIR, FILES)
  // Once before the store and once after it: a file is written before the record that names it, and removed after.
  const first = await copyFiles(files, join(draft, FILES))
  const copy = join(draft, STORE_FILE)
  await copyDatabase(store, copy)
  say(`store: ${(await stat(copy)).size} bytes`)
  const all = await copyFiles(files, join(draft, FILES), first)
  say(`files: ${all.size}`)
  for (const name of keys) await replaceFile(draft, name, await readFile(secretPath(settings.DATA_DIR, name)))
  if (keys.length > 0) say(`keys: ${keys.join(', ')}`)
  return verifyCopy({ directory: draft, scratch: join(draft, 'scratch.db'), settings })
}

/** Copies the files that are new or another version since the last time; returns all that were copied. */
const copyFiles = async (
  from: string,
  to: string,
  before: ReadonlyMap<string, string> = new Map(),
): Promise<ReadonlyMap<string, string>> => {
  const copied = new Map(before)
  for (const [name, version] of await storedFiles(from)) {
    if (before.get(name) === version) continue
    // Open, it is read whole even if it is replaced or removed meanwhile.
    const file = await open(join(from, name), 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (file === null) continue
    await replaceFile(to, name, file.createReadStream())
    copied.set(name, version)
  }
  return copied
}

const lastLine = ({ DATA_KEY, DATA_DIR }: PorticoSettings, isCopied: boolean): string => {
  if (isCopied) return 'DATA_KEY is in this copy: keep it as safe as the store itself'
  const place = DATA_KEY === null ? ` (${secretPath(resolve(DATA_DIR), 'data-key')})` : ''
  return `DATA_KEY${place} is not in this copy: keep it elsewhere, since the copy cannot be opened without it`
}

await runCopying('backup', backup)
