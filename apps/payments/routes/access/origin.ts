import { cleanText } from '../../../../core/kernel/input/fields/text-shape.ts'
import type { Origin } from '../../../../core/payments/access/sessions/session.ts'
import type { Asked } from '../../../http/request/asked.ts'

const MAX_DEVICE = 255

/** Where a request comes from: the device names itself, or is what its program says it is. */
export const originOf = (asked: Pick<Asked, 'address' | 'header'>, device: string | null = null): Origin => ({
  address: asked.address,
  device: device ?? (cleanText((asked.header('user-agent') ?? '').slice(0, MAX_DEVICE)) || null),
})
