import { nullIfAbsent } from '../../kernel/input/field.ts'
import type { InputOf } from '../../kernel/input/input.ts'
import { jsonText } from '../../kernel/input/json.ts'
import { id, timestamp } from '../../kernel/input/scalars.ts'
import { line, text } from '../../kernel/input/texts.ts'
import { view } from '../../kernel/input/view.ts'
import { uncodedResource } from '../resource.ts'

const given = {
  name: line({ max: 255, about: 'Nome' }),
  slug: nullIfAbsent(line({ max: 255, about: 'Nome curto, único entre os grupos da conta' })),
  description: nullIfAbsent(text({ max: 2_000, about: 'Descrição' })),
  json: nullIfAbsent(jsonText({ about: 'Dados livres: um objeto, ou um texto em JSON' })),
  code: nullIfAbsent(line({ max: 50, about: 'Código de quem cadastra, único entre os grupos da conta' })),
}

/** What charges are put together in; a charge keeps the id of a group that is removed. Source: 02-billing.md, Charge groups. */
export const chargeGroup = uncodedResource({
  one: 'charge-group',
  many: 'charge-groups',
  input: given,
  internal: {},
  unique: ['slug', 'code'],
  search: ['name'],
})

export type ChargeGroup = NonNullable<Awaited<ReturnType<typeof chargeGroup.find>>>

export type NewChargeGroup = InputOf<typeof chargeGroup.createInput>
export type ChargeGroupChange = InputOf<typeof chargeGroup.updateInput>

/** A group as the API shows it. Source: 02-billing.md, Charge group. */
export const chargeGroupView = view(
  'ChargeGroup',
  {
    id: id({ about: 'Identificador' }),
    ...given,
    createdAt: timestamp({ about: 'Criação' }),
    updatedAt: timestamp({ about: 'Última alteração' }),
  },
  (of: ChargeGroup) => of,
)
