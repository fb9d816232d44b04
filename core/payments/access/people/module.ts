import { onlyInPerson } from '../../actor.ts'
import type { PaymentsModule } from '../../payments-module.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { editSelf } from './edit-self.ts'
import { readLegacyMe } from './read-legacy-me.ts'
import { readMe } from './read-me.ts'
import { register } from './register.ts'

/** People, as they see themselves. */
export const people = {
  useCases: (ports: PaymentsPorts) => ({
    /** Makes a user, who is signed in. */
    register: register(ports),
    /** A user with the organizations they belong to. */
    readMe: readMe(ports),
    /** The same as legacy routes show it, with the account that they act in. */
    readLegacyMe: readLegacyMe(ports),
    /** Changes what a person says of themselves. */
    editSelf: onlyInPerson(editSelf(ports)),
  }),
} satisfies PaymentsModule
