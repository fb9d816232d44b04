import { type NodePorts, nodePorts } from '../../adapters/node/node-ports.ts'
import type { PasskeyVerifier } from '../../core/ports/passkeys.ts'
import type { Log } from '../../core/ports/runtime.ts'
import { CannotStart, type PorticoSettings, retentionDaysOf } from '../host/environment.ts'
import type { Host } from '../host/host.ts'
import { urlAt } from '../http/server.ts'
import { EMBEDDED, type OpenedBank } from './open-bank.ts'

/** Returns the address of the payments API, without a trailing slash. */
export const publicUrlOf = ({ PUBLIC_URL, HOST, PAYMENTS_PORT }: PorticoSettings): string =>
  PUBLIC_URL ?? urlAt(HOST, PAYMENTS_PORT)

const passkeyAdapter = async () => {
  try {
    return await import('../../adapters/passkeys/mod.ts')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    throw isMissing ? new CannotStart(`PASSKEYS: ${NOT_INSTALLED}`) : error
  }
}

const NOT_INSTALLED = 'their library is not installed: npm install @simplewebauthn/server@14'

/**
 * Opens the verifier of passkeys at the public address, if the settings want one. Throws `CannotStart` if its library,
 * an optional dependency, is not installed, or if browsers offer no passkeys at the address.
 */
const openPasskeys = async ({ PASSKEYS }: PorticoSettings, publicUrl: string): Promise<PasskeyVerifier | null> => {
  if (!PASSKEYS) return null
  const { passkeyVerifier, WrongPasskeySite } = await passkeyAdapter()
  try {
    return passkeyVerifier({ publicUrl })
  } catch (error) {
    throw error instanceof WrongPasskeySite ? new CannotStart(`PUBLIC_URL: for PASSKEYS=true, ${error.message}`) : error
  }
}

/** Creates the ports of payments; by default with the embedded bank. */
export const portsOf = async (
  host: Host,
  publicUrl: string,
  log: Log,
  { bank, acquirer }: Pick<OpenedBank, 'bank' | 'acquirer'> = EMBEDDED,
): Promise<NodePorts> => {
  const { settings, secrets, store, files, ids, clock, random, digest } = host
  const tracer = host.tracing?.tracer('payments')
  const { RESET_URL_HOSTS: resetHosts } = settings
  const passkeys = await openPasskeys(settings, publicUrl)
  return nodePorts(
    {
      store,
      bank,
      acquirer,
      dataDir: settings.DATA_DIR,
      ...secrets,
      publicUrl,
      ...(resetHosts.length > 0 ? { resetHosts } : {}),
      smtpUrl: settings.SMTP_URL,
      mailFrom: settings.MAIL_FROM,
      webhooksAllowPrivate: settings.WEBHOOKS_ALLOW_PRIVATE,
      isProduction: settings.NODE_ENV === 'production',
      alertsAt: settings.ALERTS_AT,
      boletoSearchCode: settings.BOLETO_SEARCH_CODE,
      internalTransferBank: settings.INTERNAL_TRANSFER_BANK,
      messagesPerDay: settings.MESSAGES_PER_DAY,
      linkChargesPerHour: settings.LINK_CHARGES_PER_HOUR,
      linkChargesPerDay: settings.LINK_CHARGES_PER_DAY,
      retentionDays: retentionDaysOf(settings),
    },
    { digest, files, ids, clock, random, log, passkeys, ...(tracer && { tracer }) },
  )
}
