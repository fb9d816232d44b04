import type { Mail } from '../../core/ports/mailer.ts'
import type { Relay, RelayServer } from '../../core/ports/relay.ts'

/** Keeps every mail with the server it went to, for tests and simulations. */
export const memoryRelay = (): Relay & { readonly sent: { readonly mail: Mail; readonly server: RelayServer }[] } => {
  const sent: { mail: Mail; server: RelayServer }[] = []
  return {
    sent,
    send: async (mail, server) => {
      sent.push({ mail, server })
    },
  }
}
