import test from 'ava'
import { type Issue, isLeft } from '../../../../core/failure.ts'
import { type AnyField, type ReadResult, SNAKE_CASE } from '../../../../core/kernel/input/field.ts'
import type { AnyView } from '../../../../core/kernel/input/view.ts'
import type { Answer } from '../../../apps/payments/test-api.ts'

/** An issue on one line: `tags.0.label text.max 3`. */
export const line = ({ path, code, params }: Issue): string =>
  [path, code, ...Object.values(params ?? {})].filter((part) => part !== '').join(' ')

/** Returns the decoded value, or the issues, each on one line. */
export const outcome = <A>(
  read: ReadResult<A, string>,
): { readonly decoded: A } | { readonly issues: readonly string[] } =>
  isLeft(read) ? { issues: read.left.map(line) } : { decoded: read.right }

const withoutBytes = (_: string, value: unknown) => (value instanceof Uint8Array ? `${value.length} bytes` : value)

const describe = (sent: unknown): string =>
  typeof sent === 'object' || typeof sent === 'string'
    ? JSON.stringify(sent, withoutBytes)
    : Object.is(sent, -0)
      ? '-0'
      : String(sent)

/** Tests the decoded value of each sent value. */
export const decodes = (name: string, field: AnyField, rows: readonly (readonly [sent: unknown, decoded: unknown])[]) =>
  test(`${name} decodes`, (t) => {
    for (const [sent, decoded] of rows) t.deepEqual(outcome(field.read(sent)), { decoded }, describe(sent))
  })

/** Tests that the field refuses each value with one issue. */
export const refuses = (name: string, field: AnyField, rows: readonly (readonly [sent: unknown, issue: string])[]) =>
  test(`${name} refuses`, (t) => {
    for (const [sent, issue] of rows) t.deepEqual(outcome(field.read(sent)), { issues: [issue] }, describe(sent))
  })

/** Returns a row of `refuses` for each value, all with the same issue. */
export const each = (issue: string, ...sent: readonly unknown[]) => sent.map((value) => [value, issue] as const)

/** Encodes a view in the wire format of the payments API. */
export const onWire = <D>(view: AnyView<D>, detail: D): Answer['body'] => view.on(SNAKE_CASE).encode(detail)
