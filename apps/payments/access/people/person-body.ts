import { body } from '../../../../core/kernel/input/body.ts'
import { nullIfAbsent } from '../../../../core/kernel/input/codec.ts'
import { email, line, secret } from '../../../../core/kernel/input/fields/texts.ts'
import { sameAs } from '../../../../core/kernel/input/rules.ts'

/** Somebody new: whoever registers, and whoever is made by a member of a team. Source: 01-access.md, v1 register and POST /v1/users. */
export const newPerson = body(
  {
    name: line({ max: 255 }),
    email: email({ max: 255 }),
    password: secret({ min: 8 }),
    password_confirmation: secret(),
    phone: nullIfAbsent(line({ max: 20 })),
  },
  sameAs('password_confirmation', 'password'),
)
