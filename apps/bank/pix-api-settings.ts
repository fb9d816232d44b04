import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { PixApiSettings } from '../../adapters/bank/pix-api/mod.ts'
import { CannotStart, type PorticoSettings } from '../host/environment.ts'

const FILES = { PIX_API_CERT: 'CERTIFICATE', PIX_API_KEY: 'PRIVATE KEY', PIX_API_CA: 'CERTIFICATE' } as const
type FileName = keyof typeof FILES

/** How the bank is reached. Throws `CannotStart` with a line for each file that is not what it must be. */
export const pixApiSettings = (settings: PorticoSettings): PixApiSettings => {
  const lines: string[] = []
  const pemOf = (name: FileName): string => {
    const read = settings[name] === null ? '' : pemIn(settings[name], FILES[name])
    if (typeof read === 'string') return read
    lines.push(`${name}: ${settings[name]} ${read.why}`)
    return ''
  }
  const [cert, key, ca] = [pemOf('PIX_API_CERT'), pemOf('PIX_API_KEY'), pemOf('PIX_API_CA')]
  if (lines.length === 0) lines.push(...disagreementOf(cert, key, ca))
  if (lines.length > 0) throw new CannotStart(lines.join('\n'))
  return {
    url: settings.PIX_API_URL ?? '',
    tokenUrl: settings.PIX_API_TOKEN_URL ?? '',
    clientId: settings.PIX_API_CLIENT_ID ?? '',
    clientSecret: settings.PIX_API_CLIENT_SECRET ?? '',
    cert,
    key,
    ca: ca === '' ? null : ca,
    pixKey: settings.PIX_KEY ?? '',
  }
}

/** The text of a file that holds what it must, or why it does not. */
const pemIn = (path: string, what: string): string | { readonly why: string } => {
  try {
    const text = readFileSync(path, 'utf8')
    return new RegExp(`-----BEGIN [A-Z ]*${what}-----`).test(text) ? text : { why: `holds no ${what} in PEM` }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return { why: `cannot be read (${code})` }
  }
}

/** What TLS makes nothing of: each file by itself, then the key of another certificate. */
const disagreementOf = (cert: string, key: string, ca: string): readonly string[] => {
  const tried = [
    ['PIX_API_CERT', { cert }],
    ['PIX_API_KEY', { key }],
    ['PIX_API_CA', ca === '' ? {} : { ca }],
    ['PIX_API_KEY', { cert, key }],
  ] as const
  for (const [name, options] of tried) {
    try {
      createSecureContext(options)
    } catch (error) {
      return [`${name}: it is of no use to TLS (${error instanceof Error ? error.message : error})`]
    }
  }
  return []
}
