import test from 'ava'
import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { authSuite } from '../../rows/auth.ts'
import { askAt, placeOf, placesOf } from '../../rows/places.ts'
import { paymentsRows } from './payments-rows.ts'

authSuite(paymentsRows)

const { rows, open, prepare, writesNothing } = paymentsRows

/** Reports whether a row validates its body before it checks the PIN. */
const validatesFirst = ({ stages = [] }: AnyRow): boolean =>
  stages.length > 0 && stages.indexOf('input') < stages.indexOf('precondition')

const preconditioned = rows.filter(({ precondition }) => precondition !== undefined)

for (const row of preconditioned.filter(validatesFirst))
  test.serial(`${row.name} returns 422 for an invalid body, and 403 for a wrong PIN in a valid one`, async (t) => {
    const api = await open(t)
    const sent = await prepare(api, placeOf(row))
    for (const place of placesOf(row)) {
      const wrong = Object.fromEntries(Object.keys(sent.body ?? {}).map((key) => [key, {}]))
      t.is((await askAt(api, place, { ...sent, body: { ...wrong, pin: sent.body?.pin } })).status, 422)
      const answer = await askAt(api, place, { ...sent, body: { ...sent.body, pin: '000001' } })
      t.deepEqual([answer.status, answer.body.error_code], [403, 'pin.wrong'])
      t.false(Object.hasOwn(answer.body, 'errors'))
    }
  })

const hasFields = ({ precondition }: (typeof preconditioned)[number]) =>
  Object.keys(precondition?.fields ?? {}).length > 0

for (const row of preconditioned.filter((each) => !validatesFirst(each) && hasFields(each)))
  test.serial(`${row.name} returns 403 before validation without the fields of its precondition`, async (t) => {
    const api = await open(t)
    const sent = await prepare(api, placeOf(row))
    const names = Object.keys(row.precondition?.fields ?? {})
    await writesNothing(t, api, async () => {
      for (const place of placesOf(row)) {
        for (const name of names) {
          const body = { ...Object.fromEntries(Object.keys(sent.body ?? {}).map((key) => [key, {}])), [name]: null }
          const answer = await askAt(api, place, { ...sent, body })
          t.is(answer.status, 403, answer.text)
          t.false(Object.hasOwn(answer.body, 'errors'))
        }
      }
    })
  })
