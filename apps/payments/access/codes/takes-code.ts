import type { Payments } from '../../../../core/payments/payments.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { originOf } from '../../origin.ts'

interface CodeCall {
  readonly core: Payments
  readonly request: HttpRequest
}

/** What every row has that takes a code: who has tried too many is told nothing else. Source: decisions.md §1. */
export const takesCode = {
  throttle: ({ core, request }: CodeCall) => core.codes.checkTries(originOf(request)),
} as const
