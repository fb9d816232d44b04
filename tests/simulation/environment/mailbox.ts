import type { Mailer } from '../../../core/ports/messaging.ts'
import type { Ground } from './environment.ts'
import { dies, type Life } from './life.ts'

/** An address that no mail ever reaches. */
export const UNREACHABLE = 'nunca.test'

/** What the mailer says where it did not hand a mail over. */
export class MailLost extends Error {}

export interface Mailbox {
  /** How often each mail arrived, by its id. */
  readonly arrived: ReadonlyMap<string, number>
  mailerFor(life: Life): Mailer
}

export const mailboxOf = (ground: Ground): Mailbox => {
  const { agenda, dice, weather, trace } = ground
  const arrived = new Map<string, number>()
  return {
    arrived,
    mailerFor: (life) => ({
      async send({ id, to }) {
        const fate = ground.fates.of(life, 'mail')
        if (fate === 'before') return dies(life)
        await life.lives(agenda.wait(dice.between(1, 500)))
        const isLost = to.endsWith(UNREACHABLE) || dice.chance(weather.now.mail)
        trace.note(`mail ${life.name}: ${id} ${isLost ? 'lost' : 'arrived'}`)
        if (!isLost) arrived.set(id, (arrived.get(id) ?? 0) + 1)
        if (fate === 'after') return dies(life)
        if (isLost) throw new MailLost(`mail to ${to}`)
      },
    }),
  }
}
