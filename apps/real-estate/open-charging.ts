import { embeddedCharging } from '../../adapters/charging/embedded-charging.ts'
import { payments } from '../../core/payments/payments.ts'
import type { Charging } from '../../core/ports/charging.ts'
import type { Log } from '../../core/ports/runtime.ts'
import { openBank } from '../bank/open-bank.ts'
import { portsOf, publicUrlOf } from '../bank/payments-ports.ts'
import type { Host } from '../host/host.ts'

/** Who issues an agency's charges. */
export interface OpenCharging {
  readonly charging: Charging
  close(): Promise<void>
}

/** The payments app says what is to be known of its bank. */
const silent = (): void => {}

/**
 * The payments core on the store of this process: its accounts are those of the payments app, whose worker does what is to be done
 * in the background, wherever it runs. Throws `CannotStart` where its bank cannot be reached as the settings say.
 */
export const openCharging = async (host: Host, log: Log): Promise<OpenCharging> => {
  const publicUrl = publicUrlOf(host.settings)
  const bank = openBank(host, publicUrl, silent)
  const ports = await portsOf(host, publicUrl, log, bank)
  return {
    charging: embeddedCharging(payments(ports)),
    async close() {
      await ports.close()
      await bank.close()
    },
  }
}
