import { createHmac } from 'node:crypto'
import { fakeAcquirer, fakeAcquirerPart } from '../../adapters/bank/fake/acquirer.ts'
import { fakeBank } from '../../adapters/bank/fake/bank.ts'
import { fakeBankPart } from '../../adapters/bank/fake/notifications.ts'
import { noWebhook, pixApi, pixApiBank, pixApiPart, pixApiWebhook } from '../../adapters/bank/pix-api/mod.ts'
import type { NodeSetup } from '../../adapters/node/node-ports.ts'
import type { Payments } from '../../core/payments/payments.ts'
import type { PaymentsPart } from '../../core/payments/payments-ports.ts'
import type { Host } from '../host/host.ts'
import type { BankOptions } from './bank-options.ts'
import { pixApiSettings } from './pix-api-settings.ts'

/** The bank of a process, by its settings. */
export interface OpenedBank extends Required<Pick<NodeSetup, 'bank' | 'acquirer'>> {
  /** What the worker works on for it, and whom it tells. */
  parts(core: Payments): readonly PaymentsPart[]
  /** What is served of it. */
  readonly serves: BankOptions
  /** Once the app listens. */
  started(): void
  close(): Promise<void>
}

type Opening = Pick<Host, 'settings' | 'secrets' | 'tracing'>
type Warn = (line: string) => void

const NO_MONEY = 'BANK=fake in production: no real money moves'

/** The bank that works with no outside system. */
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

/** What the key makes of it is the same on every machine, and tells nothing of the key. */
const inletSecret = ({ dataKey }: Host['secrets']): string =>
  createHmac('sha256', dataKey).update('pix-api.inlet').digest('base64url')

const openPixApi = ({ settings, secrets, tracing }: Opening, publicUrl: string, warn: Warn): OpenedBank => {
  const api = pixApi(pixApiSettings(settings), tracing?.tracer('payments'))
  const secret = inletSecret(secrets)
  const isReachable = publicUrl.startsWith('https://')
  const webhook = isReachable ? pixApiWebhook(api, `${publicUrl}/pix-api/${secret}`, warn) : noWebhook
  if (!isReachable)
    warn('PUBLIC_URL is not https: the bank is not told where to tell of payments, and the sweep finds them')
  return {
    bank: pixApiBank(api),
    // No acquirer of cards but the embedded one exists, and no card is to be charged in play beside real money.
    acquirer: null,
    parts: ({ bank }) => [pixApiPart(api, bank, webhook)],
    serves: { pixApiSecret: secret },
    started: () => void webhook.register(),
    close: api.close,
  }
}

/** Opens the bank that the settings name. Throws `CannotStart` where it cannot be reached as they say. */
export const openBank = (host: Opening, publicUrl: string, warn: Warn): OpenedBank =>
  host.settings.BANK === 'pix-api' ? openPixApi(host, publicUrl, warn) : openFakeBank(host, warn)
