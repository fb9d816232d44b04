import { instant } from '../../kernel/input/scalars.ts'
import { guid } from '../../kernel/input/texts.ts'
import { view } from '../../kernel/input/view.ts'
import { type Client, clientFields } from '../records/client.ts'

/** A client as the API shows it. Source: 03-real-estate.md, Client (lead). */
export const clientView = view(
  'Client',
  {
    id: guid({ about: 'Identificador' }),
    ...clientFields,
    createdAt: instant({ about: 'Criação' }),
    updatedAt: instant({ about: 'Última alteração' }),
  },
  (of: Client) => of,
)
