import { nullIfAbsent } from '../../kernel/input/field.ts'
import { instant, oneOf } from '../../kernel/input/scalars.ts'
import { email, guid, line } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import { type Condominium, condominiumFields } from '../records/condominium.ts'
import { PROPERTY_STATUSES, type Property } from '../records/property.ts'
import type { User } from '../records/user.ts'

/** A condominium with its syndic: null where there never was one. */
export type ManagedCondominium = Condominium & { readonly syndic: User | null }

/** A condominium with all that is known of it. */
export type CondominiumDetail = ManagedCondominium & { readonly units: readonly Property[] }

const id = guid({ about: 'Identificador' })

const syndic = view(
  null,
  { id, name: line({ max: 255, about: 'Nome' }), email: email({ about: 'E-mail' }) },
  (of: User) => of,
)

const unit = view(
  null,
  { id, code: line({ max: 50, about: 'Código' }), status: oneOf(PROPERTY_STATUSES, { about: 'Situação' }) },
  (of: Property) => of,
)

const { syndicId: _, ...own } = condominiumFields

const listed = {
  id,
  ...own,
  syndic: nullIfAbsent(output.view(syndic, { about: 'O síndico' })),
  totalUnits: output.count({ about: 'Imóveis que são suas unidades' }),
  createdAt: instant({ about: 'Criação' }),
}

/** A condominium as a list shows it. Source: 03-real-estate.md, Condominium. */
export const condominiumView = view('ListedCondominium', listed, (of: ManagedCondominium) => ({
  ...of,
  totalUnits: of.linkedProperties,
}))

/** A condominium as the API shows it alone. Source: 03-real-estate.md, Condominium; decisions.md §10, Figures. */
export const condominiumDetailView = view(
  'Condominium',
  { ...listed, properties: output.views(unit, { about: 'As unidades, por código' }) },
  (of: CondominiumDetail) => ({ ...of, properties: of.units, totalUnits: of.linkedProperties }),
)
