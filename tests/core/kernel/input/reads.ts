import test from 'ava'
import type { Issue } from '../../../../core/failure.ts'
import { isLeft } from '../../../../core/fp.ts'
import type { AnyField, ReadResult } from '../../../../core/kernel/input/field.ts'

/** An issue on one line: `tags.0.label text.max 3`. */
export const line = ({ path, code, params }: Issue): string =>
  [path, code, ...Object.values(params ?? {})].filter((part) => part !== '').join(' ')

/** What was read, or its issues. */
export const outcome = <A>(
  read: ReadResult<A, string>,
): { readonly kept: A } | { readonly issues: readonly string[] } =>
  isLeft(read) ? { issues: read.left.map(line) } : { kept: read.right }

const shown = (sent: unknown): string =>
  typeof sent === 'object' || typeof sent === 'string'
    ? JSON.stringify(sent)
    : Object.is(sent, -0)
      ? '-0'
      : String(sent)

/** A test that the field keeps each value so. */
export const keeps = (name: string, field: AnyField, rows: readonly (readonly [sent: unknown, kept: unknown])[]) =>
  test(`${name} keeps`, (t) => {
    for (const [sent, kept] of rows) t.deepEqual(outcome(field.read(sent)), { kept }, shown(sent))
  })

/** A test that the field refuses each value for one reason. */
export const refuses = (name: string, field: AnyField, rows: readonly (readonly [sent: unknown, issue: string])[]) =>
  test(`${name} refuses`, (t) => {
    for (const [sent, issue] of rows) t.deepEqual(outcome(field.read(sent)), { issues: [issue] }, shown(sent))
  })

/** A row for each value that is refused for this reason. */
export const each = (issue: string, ...sent: readonly unknown[]) => sent.map((value) => [value, issue] as const)
