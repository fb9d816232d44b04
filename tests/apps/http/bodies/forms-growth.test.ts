// Runs in test:long only.
import test from 'ava'
import { parseMultipart } from '../../../../apps/http/bodies/forms.ts'
import { GROWTH, growthOf, MAX_GROWTH } from '../../../growth.ts'

const FIELD = 'Content-Disposition: form-data; name="a"'
const MEGABYTES_5 = 5 * 1_048_576

test.serial('parses five megabytes in linear time, with any content', async (t) => {
  const boundary = '-'.repeat(70)
  const opening = `--${boundary}\r\n${FIELD}\r\n\r\n`
  const forms = ['\r\n--', '\r\n', '-', `\r\n--${'-'.repeat(69)}`, 'x', `\r\n--${boundary}`, opening].map(
    (pattern) => (bytes: number) => Buffer.from(opening + pattern.repeat(bytes / pattern.length)),
  )
  for (const [index, form] of forms.entries()) {
    const [part, whole] = [form(MEGABYTES_5 / GROWTH), form(MEGABYTES_5)]
    const type = `multipart/form-data; boundary=${boundary}`
    const growth = await growthOf(
      () => parseMultipart(part, type),
      () => parseMultipart(whole, type),
    )
    t.true(growth < MAX_GROWTH, `${index}: ${growth.toFixed(1)}`)
  }
})
