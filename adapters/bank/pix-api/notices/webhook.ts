import type { PixApi } from '../client/pix-api.ts'
import { doneOf } from '../client/reply.ts'

/** Where a bank is to tell of payments, and whether it knows. */
export interface PixApiWebhook {
  /** Has the bank tell of payments from now on; nothing where it does so already. */
  register(): Promise<void>
}

/** What is registered where there is no address that a bank can call: the sweep alone finds payments. */
export const noWebhook: PixApiWebhook = { register: async () => {} }

/**
 * The webhook of the account's key, at `url`, to which the bank adds `/pix`. One that the bank does not take is told once, and
 * asked for again by the next sweep.
 */
export const pixApiWebhook = (api: PixApi, url: string, warn: (line: string) => void): PixApiWebhook => {
  let state: 'new' | 'told' | 'registered' = 'new'
  return {
    async register() {
      if (state === 'registered') return
      const path = `/webhook/${encodeURIComponent(api.pixKey)}`
      const answer = doneOf(await api.ask('PUT', path, { webhookUrl: url }))
      if (answer.outcome !== 'done' && state === 'new') {
        const why = answer.outcome === 'refused' ? answer.reason : answer.outcome
        warn(`the bank does not take the webhook (${why}): payments are found by the sweep until it does`)
      }
      state = answer.outcome === 'done' ? 'registered' : 'told'
    },
  }
}
