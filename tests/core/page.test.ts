import test from 'ava'
import fc from 'fast-check'
import { offsetOf, pageMeta } from '../../core/ports/store.ts'

test('pageMeta has the keys of the payments API', (t) => {
  t.deepEqual(pageMeta({ page: 2, perPage: 15, total: 31 }), { current_page: 2, per_page: 15, total: 31, last_page: 3 })
})

test('an empty list has one page; a page past the end keeps its number', (t) => {
  t.is(pageMeta({ page: 1, perPage: 15, total: 0 }).last_page, 1)
  t.is(pageMeta({ page: 9, perPage: 15, total: 15 }).current_page, 9)
  t.is(pageMeta({ page: 9, perPage: 15, total: 15 }).last_page, 1)
})

test('the last page has the last record', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 10 ** 7 }), (perPage, total) => {
      const { last_page: page } = pageMeta({ page: 1, perPage, total })
      t.true(offsetOf({ page, perPage }) < total)
      t.true(offsetOf({ page: page + 1, perPage }) >= total)
    }),
  )
  t.is(offsetOf({ page: 1, perPage: 15 }), 0)
})
