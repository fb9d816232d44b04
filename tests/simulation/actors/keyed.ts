import type { KeyState } from '../../../apps/http/keys/keys.ts'
import type { Failure } from '../../../core/failure.ts'
import type { ChargeDetail } from '../../../core/payments/charges/find-charge.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { Process } from '../environment/process.ts'
import { type Act, isOneKey, KEY_LIFE_MS, type KeyedOrder, some } from './cast.ts'
import { someCharge } from './merchants.ts'

type Encoded = Extract<KeyState, { is: 'done' }>['answer']

const encode = ({ charge }: ChargeDetail): Encoded => ({
  status: 200,
  type: 'application/json',
  body: JSON.stringify({ id: charge.id, code: charge.code }),
  headers: {},
})

/** Somebody asks for a charge under a new key. */
export const orderByKey: Act = async (environment, cast, process) => {
  const merchant = some(environment, cast.merchants)
  if (!merchant) return
  const key = `pedido-${cast.orders.length + 1}`
  const input = { ...(await someCharge(environment, merchant)), description: key }
  const order: KeyedOrder = {
    key,
    merchant,
    input,
    firstMs: environment.agenda.nowMs(),
    answers: [],
    last: null,
    asking: 0,
    isOld: false,
  }
  cast.orders.push(order)
  await askFor(order)(environment, cast, process)
}

/** Somebody who does not know what became of their order, or has forgotten it, sends it again. */
export const repeatOrder: Act = async (environment, cast, process) => {
  const order = some(environment, cast.orders.slice(-8))
  if (order) await askFor(order)(environment, cast, process)
}

export const askFor =
  (order: KeyedOrder): Act =>
  async ({ agenda, trace, broken }, _, process) => {
    if (agenda.nowMs() - order.firstMs > KEY_LIFE_MS) return
    const { key, answers } = order
    const isAnswered = answers.length > 0
    order.asking += 1
    const answer = await Promise.race([answerTo(order, process), process.life.over])
    order.asking -= 1
    order.isOld ||= agenda.nowMs() - order.firstMs > KEY_LIFE_MS
    trace.note(`key ${key}: ${answer && ('tag' in answer ? answer.code : answer.body)}`)
    if (!answer) return
    order.last = 'tag' in answer ? answer.code : answer.body
    if (!('tag' in answer)) answers.push(answer.body)
    else if (isAnswered && answer.tag !== 'unavailable' && isOneKey(order, agenda.nowMs()))
      broken.push(`${key} was answered, and is ${answer.code}`)
    else if (answer.code === 'key.reused') broken.push(`${key} was asked for by the same request and is ${answer.code}`)
    if (isOneKey(order, agenda.nowMs()) && answers.some((body) => body !== answers[0]))
      broken.push(`${key} had other answers: ${answers.join(' ')}`)
  }

/** As a request with the header `Idempotency-Key` goes. */
const answerTo = async ({ key, merchant, input }: KeyedOrder, { keys, pay }: Process): Promise<Encoded | Failure> => {
  try {
    const claim = keys.claim(['charges', String(merchant.accountId)], key, input)
    if ('tag' in claim) return claim
    const state = await keys.stateOf(claim)
    if (state.is === 'done') return state.answer
    if (state.is === 'refused') return state.failure
    if (state.is === 'running') return keys.running
    if (state.is === 'abandoned') {
      return await keys.resume(claim, state, pay.charges.resume(Number(state.intent)), encode)
    }
    return await keys.first(claim, state.expired, pay.charges.issue(merchant, input), encode)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return { tag: 'unavailable', code: 'store.unavailable', retryAfterSeconds: 1 }
  }
}
