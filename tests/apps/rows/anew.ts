import type { AnyRow } from '../../../apps/http/rows/row.ts'
import { anyDocument, anyEmail } from '../given.ts'
import type { Prepared } from './places.ts'

/** Fixtures whose e-mail and document are of somebody who is there: what their rows ask for is about them. */
const SOMEBODY = ['recovering', 'verifying', 'documented', 'applicant', 'patientApplicant', 'confirmedApplicant']

/** With which a row refuses what its text says it refuses so. */
export const ownStatuses = ({ errors = {} }: AnyRow) => Object.values(errors).flatMap(({ status }) => status ?? [])

/** The same body of somebody else, so that nothing is refused for being there already. */
export const anew = ({ example }: AnyRow, body: Prepared['body'] = {}): Readonly<Record<string, unknown>> => ({
  ...body,
  ...(SOMEBODY.includes(example.given ?? '')
    ? {}
    : {
        ...('document' in body ? { document: anyDocument() } : {}),
        ...('email' in body ? { email: anyEmail() } : {}),
      }),
})
