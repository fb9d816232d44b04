import { digest } from '../../../adapters/crypto/cipher.ts'
import { MAX_PER_HOST } from '../../../core/kernel/running/concurrency.ts'
import type { Mailer, WebhookAnswer, WebhookSender } from '../../../core/ports/messaging.ts'
import type { Dice } from './chance.ts'
import type { Ground } from './environment.ts'
import { dies, type Life } from './life.ts'

const HANG_MS = 15_000
/** Hosts that always fail. */
export const DEAD_HOST = 'morto.test'
export const GONE_HOST = 'foi-se.test'

/** The posts received under one `webhook-id`. */
export interface Received {
  posts: number
  accepted: number
  gone: boolean
}

/** The receivers of webhooks. */
export interface Receivers {
  readonly received: ReadonlyMap<string, Received>
  senderFor(life: Life): WebhookSender
  /** Returns the webhook secrets of all accounts: each post is signed with one of them. */
  secrets: () => Promise<readonly string[]>
}

type Request = Parameters<WebhookSender['post']>[0]

export const receiversOf = (ground: Ground): Receivers => {
  const { agenda, dice, weather, trace, broken } = ground
  const received = new Map<string, Received>()
  const calls = new Map<string, number>()

  const enter = (line: string): void => {
    const count = (calls.get(line) ?? 0) + 1
    calls.set(line, count)
    if (count > MAX_PER_HOST) broken.push(`${line}: ${count} calls at once`)
  }
  const count = (id: string, answer: WebhookAnswer): void => {
    const known = received.get(id) ?? { posts: 0, accepted: 0, gone: false }
    known.posts += 1
    if ('status' in answer && answer.status >= 200 && answer.status < 300) known.accepted += 1
    if ('status' in answer && answer.status === 410) known.gone = true
    received.set(id, known)
  }
  const post = async (life: Life, request: Request): Promise<WebhookAnswer> => {
    const { host } = new URL(request.url)
    const signer = signerOf(request, await all.secrets())
    const line = `${life.name} to ${host} for ${signer}`
    const id = request.headers['webhook-id'] ?? ''
    enter(line)
    if (signer === -1) broken.push(`${id} is not signed`)
    if (ground.fates.of(life, 'webhook') === 'before') return dies(life)
    await agenda.wait(dice.between(1, 300))
    const answer = answerOf(dice, host, dice.chance(weather.now.receiver))
    count(id, answer)
    trace.note(`webhook ${line}: ${id} ${'status' in answer ? answer.status : answer.error}`)
    if ('error' in answer) await agenda.wait(HANG_MS)
    calls.set(line, (calls.get(line) ?? 0) - 1)
    return ground.fates.of(life, 'webhook answer') === null ? life.lives(Promise.resolve(answer)) : dies(life)
  }
  const all: Receivers = {
    received,
    senderFor: (life) => ({ post: (request) => post(life, request) }),
    secrets: async () => [],
  }
  return all
}

const answerOf = (dice: Dice, host: string, isMoody: boolean): WebhookAnswer => {
  const answer = (status: number, retryAfterSeconds: number | null = null): WebhookAnswer => ({
    status,
    body: `resposta ${status}`,
    retryAfterSeconds,
  })
  if (host === DEAD_HOST) return { error: 'timeout' }
  if (host === GONE_HOST) return answer(410)
  if (!isMoody) return answer(dice.pick([200, 201, 204]))
  const moods: readonly WebhookAnswer[] = [
    answer(500),
    answer(503, 120),
    answer(429, dice.pick([1, 600, 1_000_000])),
    answer(410),
    answer(301),
    { error: 'timeout' },
  ]
  return dice.pick(moods)
}

/** Returns the index of the signing secret, or -1. The signature is that of the Standard Webhooks specification. */
const signerOf = ({ headers, body }: Request, secrets: readonly string[]): number => {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const right = (secret: string) =>
    `v1,${digest.hmacSha256(Buffer.from(secret.slice('whsec_'.length), 'base64'), signed)}`
  return secrets.findIndex((secret) => right(secret) === headers['webhook-signature'])
}

/** An address that no mail ever reaches. */
export const UNREACHABLE = 'nunca.test'

/** The error of a mail that was not delivered. */
export class MailLost extends Error {}

export interface Mailbox {
  /** The number of arrivals of each mail, by id. */
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
