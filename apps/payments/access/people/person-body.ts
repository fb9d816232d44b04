import { input } from '../../../../core/kernel/input/input.ts'
import { sameAs } from '../../../../core/kernel/input/rules.ts'
import { registrationFields } from '../../../../core/payments/access/register.ts'
import { passwordFields } from '../../../../core/payments/members/user.ts'

/** Somebody new: whoever registers, and whoever is made by a member of a team. Source: 01-access.md, v1 register and POST /v1/users. */
export const newPerson = input(
  'NewUser',
  { ...registrationFields, passwordConfirmation: passwordFields.passwordConfirmation },
  sameAs('passwordConfirmation', 'password'),
)
