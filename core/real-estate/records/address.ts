import { nullIfAbsent } from '../../kernel/input/field.ts'
import { input, object } from '../../kernel/input/input.ts'
import { alphanumeric, line } from '../../kernel/input/texts.ts'

const place = input(null, {
  street: line({ max: 255, about: 'Logradouro' }),
  number: line({ max: 20, about: 'Número' }),
  complement: nullIfAbsent(line({ max: 255, about: 'Complemento' })),
  neighborhood: nullIfAbsent(line({ max: 255, about: 'Bairro' })),
  city: line({ max: 255, about: 'Cidade' }),
  state: line({ max: 60, about: 'Estado' }),
  zipCode: alphanumeric({ max: 20, about: 'CEP, guardado sem pontuação' }),
})

/** Where somebody lives or something stands. Source: 03-real-estate.md, Property; decisions.md §10, Fields. */
export const address = object(place, { about: 'Endereço' })

/** What a search for an address looks through. Source: decisions.md §10, Lists. */
export const ADDRESS_SEARCH = ['address.street', 'address.neighborhood', 'address.city', 'address.zipCode'] as const
