import { failure } from '../../../../core/failure.ts'
import { isLeft, left, right } from '../../../../core/fp.ts'
import { useCaseOf } from '../../../../core/kernel/running/use-case.ts'
import { dayOf } from '../../../../core/kernel/values/day.ts'
import { encodeBase64 } from '../../../../core/kernel/values/encoding.ts'
import type { Payments } from '../../../../core/payments/payments.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { linkKeyOf } from '../link-key.ts'
import type { Typed } from './pay-fields.ts'
import { alertFor, leakingFields, paymentIn, refillOf, wrongFields } from './pay-form.ts'
import type { PayForm } from './pay-page.ts'

/** A form as it is shown. */
export interface ShownForm extends PayForm {
  readonly publicUrl: string
  readonly status: number
  /** The seconds to wait before another try, with status 429. */
  readonly retryAfterSeconds?: number
  /** The code of the failure that it shows, if it shows one. */
  readonly fault: string | null
}

/** What came of a form that was sent: a charge, or the form with what is wrong. */
export type Sent = ShownForm | { readonly code: string }

const INACTIVE = failure('forbidden', 'organization.inactive')

const KEY_BYTES = 24
/** How often somebody who sends a form twice at once is looked up what became of the first, and how long apart. */
const LOOKS = 30
const WAIT_MS = 500

/** The form of a link, empty: there is none where its account takes no payments. */
export const openForm = (core: Payments, request: HttpRequest) =>
  useCaseOf<ShownForm>()(async () => {
    const opened = await core.checkout.open(linkKeyOf(request))()
    if (isLeft(opened)) return opened
    if (!opened.right.takesPayments) return left(INACTIVE)
    const { random, settings } = core.ports
    const key = encodeBase64(random.bytes(KEY_BYTES))
    const { publicUrl } = settings
    return right({
      checkout: opened.right,
      key,
      typed: {},
      wrong: {},
      alert: null,
      publicUrl,
      status: 200,
      fault: null,
    })
  })

/** Whether there is a form to send. By a link that is over, whoever paid last may send theirs again. */
export const mayBeSent = (core: Payments, request: HttpRequest) =>
  useCaseOf<null>()(async () => {
    const opened = await openForm(core, request)()
    return isLeft(opened) && opened.left.tag !== 'gone' ? opened : right(null)
  })

/** What was typed is a payment by the same use case as that of the API, answered by pages; the same form pays once. */
export const payBy = (core: Payments, request: HttpRequest, typed: Typed) =>
  useCaseOf<Sent>()(async () => {
    const again = async ({ isUsed = false, ...more }: Partial<ShownForm> & { readonly isUsed?: boolean }) => {
      const opened = await openForm(core, request)()
      if (isLeft(opened)) return opened
      // It is one form until it has paid: whoever sends an earlier try of it again pays no second time.
      const refill = refillOf(typed)
      const key = isUsed ? opened.right.key : refill.key || opened.right.key
      return right({ ...opened.right, key, typed: refill, ...more })
    }
    const asked = paymentIn(typed, dayOf(core.ports.clock.steady()))
    const wrong = { ...leakingFields(typed), ...(isLeft(asked) ? wrongFields(asked.left) : {}) }
    if (isLeft(asked) || Object.keys(wrong).length > 0) return again({ wrong, status: 422, fault: 'fields' })
    const paid = await payOnce(core, linkKeyOf(request), asked.right, typed.key ?? '')
    if (!isLeft(paid)) return right({ code: paid.right.charge.code })
    if (paid.left.tag === 'invalid')
      return again({ wrong: wrongFields(paid.left.issues), status: 422, fault: 'fields' })
    const alert = alertFor(paid.left)
    if (alert === null) return paid
    const fault = paid.left.code
    if (paid.left.tag === 'throttled')
      return again({ alert, status: 429, fault, retryAfterSeconds: paid.left.retryAfterSeconds })
    return again({ alert, status: 400, fault, isUsed: fault === 'key.reused' })
  })

type Pay = Payments['checkout']['pay']

/** A form without a key, of no page of ours, pays as often as it is sent. */
const payOnce = async (core: Payments, ...[by, payment, key]: [...Parameters<Pay>, string]) => {
  const pay = core.checkout.pay(by, payment)
  if (key === '') return pay()
  for (let looked = 1; ; looked += 1) {
    const paid = await pay({ key })
    const isRunning = isLeft(paid) && paid.left.code === 'key.running'
    if (!isRunning || looked === LOOKS) return paid
    await core.ports.clock.wait(WAIT_MS)
  }
}
