import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { anyDocument, anyEmail } from '../../given/basics.ts'
import type { Prepared } from '../../rows/places.ts'

/** Fixtures whose e-mail and document are of somebody who is there: what their rows ask for is about them. */
const SOMEBODY = ['recovering', 'verifying', 'documented', 'applicant', 'patientApplicant', 'confirmedApplicant']

/** Money out is asked for by these names, and the same to the same place is refused for a while. */
const PAID_OUT = ['withdrawer', 'lookedUp', 'transferrer']
let paidOut = 0
const anyValue = (): number => {
  paidOut += 1
  return (100 + (paidOut % 900)) / 100
}

/** The fields of a row's body that no two records share, by what it can fail with: `client.document.taken`. */
const uniqueIn = ({ errors = {} }: AnyRow): readonly string[] =>
  Object.keys(errors).flatMap((code) => /\.(\w+)\.taken$/.exec(code)?.[1] ?? [])

/** What nobody else has: an e-mail is one, and whatever else is a text. */
const unlikeOthers = (name: string): string => (name === 'email' ? anyEmail() : anyDocument())

/** The same body of somebody else, so that nothing is refused for being there already. */
export const anew = (row: AnyRow, body: Prepared['body'] = {}): Readonly<Record<string, unknown>> => {
  const { given = '' } = row.example
  const names = SOMEBODY.includes(given) ? [] : ['document', 'email', ...uniqueIn(row)]
  return {
    ...body,
    ...Object.fromEntries(names.filter((name) => name in body).map((name) => [name, unlikeOthers(name)])),
    ...(PAID_OUT.includes(given) ? otherValue(body) : {}),
    // So little that it can be given back again and again.
    ...(given === 'refundableCharge' ? { value: 0.01 } : {}),
  }
}

const otherValue = (body: NonNullable<Prepared['body']>) => {
  const name = ['value', 'amount', 'mount'].find((each) => each in body)
  return name === undefined ? {} : { [name]: anyValue() }
}

/** Under which names a row says what is wrong with a field: balance and limits of money out are those of `value`. */
export const saidAs = ({ example }: AnyRow, name: string): readonly string[] =>
  PAID_OUT.includes(example.given ?? '') && ['amount', 'mount'].includes(name) ? [name, 'value'] : [name]
