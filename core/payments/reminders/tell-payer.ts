import type { Change } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh/fresh.ts'
import { type Instant, plusSeconds } from '../../kernel/values/day.ts'
import { MAIL_LIFE_SECONDS } from '../../office/mail/queued-mail.ts'
import type { Cipher } from '../../ports/cipher.ts'
import { MESSAGE_CHANNELS } from '../../ports/messenger.ts'
import { queueMail } from '../office/mails.ts'
import { queueMessage } from '../office/messages.ts'
import { emailFor, shortTextFor } from './notice.ts'
import type { Trigger } from './trigger.ts'

/** One way to reach a payer, and the id of what is sent by it. */
export interface Way {
  readonly id: string
  readonly channel: Trigger['rule']['channels'][number]
  readonly to: string
}

/**
 * The channels of a rule by which its payer can be reached, each once. `cause` names what happened, so that each way has
 * the same id whoever sends by it. A client that was removed is told nothing any more.
 */
export const waysTo = ({ client, rule }: Pick<Trigger, 'client' | 'rule'>, cause: string): readonly Way[] =>
  [...new Set(rule.channels)].flatMap((channel) => {
    const to = channel === 'email' ? client.email : client.phone
    return to === null || to === '' || client.removedAt !== null ? [] : [{ id: `${cause}|${channel}`, channel, to }]
  })

/** The changes that tell a payer by these ways, in the account's name; not sent any more once `expiresAt` is there. */
export const tellPayer = (
  cipher: Cipher,
  fresh: Fresh,
  about: Trigger,
  ways: readonly Way[],
  expiresAt: Instant = plusSeconds(fresh.now, MAIL_LIFE_SECONDS),
): readonly Change[] =>
  ways.map(({ id, channel: named, to }) => {
    const channel = MESSAGE_CHANNELS.find((each) => each === named)
    if (channel === undefined) {
      return queueMail(cipher, fresh, { id, to, accountId: about.account.id, expiresAt, ...emailFor(about) })
    }
    return queueMessage(cipher, fresh, { id, channel, to, text: shortTextFor(about), expiresAt })
  })
