import { SNAKE_CASE } from '../../../../core/kernel/input/field.ts'
import type { AnyView } from '../../../../core/kernel/input/view.ts'
import type { Answer } from '../../../apps/payments/test-api.ts'

/** What a view shows, as the payments API names it. */
export const onWire = <D>(view: AnyView<D>, detail: D): Answer['body'] => view.on(SNAKE_CASE).encode(detail)
