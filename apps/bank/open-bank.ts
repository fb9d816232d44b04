import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { fakeAcquirer, fakeAcquirerPart } from '../../adapters/bank/fake/acquirer.ts'
import { fakeBank } from '../../adapters/bank/fake/bank.ts'
import { fakeBankPart } from '../../adapters/bank/fake/notifications.ts'
import {
  noWebhook,
  type PixApiSettings,
  pixApi,
  pixApiBank,
  pixApiPart,
  pixApiWebhook,
} from '../../adapters/bank/pix-api/mod.ts'
import type { NodeSetup } from '../../adapters/node/node-ports.ts'
import type { Payments } from '../../core/payments/payments.ts'
import type { PaymentsPart } from '../../core/payments/payments-ports.ts'
import { CannotStart, type PorticoSettings } from '../host/environment.ts'
import type { Host } from '../host/host.ts'

/** The routes that a bank requires. */
export interface BankOptions {
  /** Serves the console of the embedded bank, where every caller can pay any charge; `false` by default. */
  readonly fakeBankConsole?: boolean
  /** The secret in the path of the API Pix webhook; without it the path is not served. */
  readonly pixApiSecret?: string
}

/** The bank of a process. */
export interface OpenedBank extends Required<Pick<NodeSetup, 'bank' | 'acquirer'>> {
  /** Returns the queues and subscribers of the bank. */
  parts(core: Payments): readonly PaymentsPart[]
  /** Its routes. */
  readonly serves: BankOptions
  /** Called once the app listens. */
  started(): void
  close(): Promise<void>
}

type Opening = Pick<Host, 'settings' | 'secrets' | 'tracing'>
type Warn = (line: string) => void

const NO_MONEY = 'BANK=fake in production: no real money moves'

/** The bank that requires no outside system. */
export const EMBEDDED = { bank: fakeBank, acquirer: fakeAcquirer } as const

const openFakeBank = ({ settings }: Opening, warn: Warn): OpenedBank => {
  const isProduction = settings.NODE_ENV === 'production'
  if (isProduction) warn(NO_MONEY)
  return {
    ...EMBEDDED,
    parts: ({ bank, cards }) => [fakeBankPart(bank), fakeAcquirerPart(cards)],
    serves: { fakeBankConsole: !isProduction },
    started: () => {},
    close: async () => {},
  }
}

/** Derives the secret from the data key: it is equal on all machines and does not reveal the key. */
const webhookSecret = ({ dataKey }: Host['secrets']): string =>
  createHmac('sha256', dataKey).update('pix-api.inlet').digest('base64url')

const openPixApi = ({ settings, secrets, tracing }: Opening, publicUrl: string, warn: Warn): OpenedBank => {
  const api = pixApi(pixApiSettings(settings), tracing?.tracer('payments'))
  const secret = webhookSecret(secrets)
  const isReachable = publicUrl.startsWith('https://')
  const webhook = isReachable ? pixApiWebhook(api, `${publicUrl}/pix-api/${secret}`, warn) : noWebhook
  if (!isReachable) warn('PUBLIC_URL is not https: the bank cannot notify payments, and the sweep finds them')
  return {
    bank: pixApiBank(api),
    // The only acquirer is the embedded one, which must not accept cards beside real money.
    acquirer: null,
    parts: ({ bank }) => [pixApiPart(api, bank, webhook)],
    serves: { pixApiSecret: secret },
    started: () => void webhook.register(),
    close: api.close,
  }
}

/** Opens the bank of the settings. Throws `CannotStart` if its files are wrong. */
export const openBank = (host: Opening, publicUrl: string, warn: Warn): OpenedBank =>
  host.settings.BANK === 'pix-api' ? openPixApi(host, publicUrl, warn) : openFakeBank(host, warn)

const FILES = { PIX_API_CERT: 'CERTIFICATE', PIX_API_KEY: 'PRIVATE KEY', PIX_API_CA: 'CERTIFICATE' } as const
type FileName = keyof typeof FILES

/** Returns the settings of the API Pix. Throws `CannotStart` with a line for each wrong file. */
export const pixApiSettings = (settings: PorticoSettings): PixApiSettings => {
  const lines: string[] = []
  const pemOf = (name: FileName): string => {
    const read = settings[name] === null ? '' : pemIn(settings[name], FILES[name])
    if (typeof read === 'string') return read
    lines.push(`${name}: ${settings[name]} ${read.why}`)
    return ''
  }
  const [cert, key, ca] = [pemOf('PIX_API_CERT'), pemOf('PIX_API_KEY'), pemOf('PIX_API_CA')]
  if (lines.length === 0) lines.push(...tlsFaultOf(cert, key, ca))
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

/** Reads a PEM file; returns a fault if it contains no such block. */
const pemIn = (path: string, what: string): string | { readonly why: string } => {
  try {
    const text = readFileSync(path, 'utf8')
    return new RegExp(`-----BEGIN [A-Z ]*${what}-----`).test(text) ? text : { why: `contains no ${what} in PEM` }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return { why: `cannot be read (${code})` }
  }
}

/**
 * Returns the first fault of the files for TLS: of each by itself, then of a key that does not match the certificate.
 */
const tlsFaultOf = (cert: string, key: string, ca: string): readonly string[] => {
  const attempts = [
    ['PIX_API_CERT', { cert }],
    ['PIX_API_KEY', { key }],
    ['PIX_API_CA', ca === '' ? {} : { ca }],
    ['PIX_API_KEY', { cert, key }],
  ] as const
  for (const [name, options] of attempts) {
    try {
      createSecureContext(options)
    } catch (error) {
      return [`${name}: TLS rejects it (${error instanceof Error ? error.message : error})`]
    }
  }
  return []
}
