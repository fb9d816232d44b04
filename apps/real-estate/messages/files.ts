import type { Part } from './codes.ts'

/** What is told of files. Source: 03-real-estate.md, Files; decisions.md §10. */
export const fileMessages = {
  failures: {
    'file.unknown': { status: 404, message: 'Arquivo não encontrado.' },
    'file.not-own': { status: 403, message: 'Só quem enviou o arquivo ou um administrador pode excluí-lo.' },
  },
  issues: {},
} satisfies Part
