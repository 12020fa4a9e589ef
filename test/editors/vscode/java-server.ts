// An extension for tests that starts a real Java server for the same files as insitu's, as Java support for VS Code does.
import { LanguageClient } from 'vscode-languageclient/node';

/** Command and settings come by the environment: `TEST_JAVA_SERVER` is `{ command, args, settings }`. */
export async function activate(): Promise<void> {
  const { command, args, settings }: { command: string; args: string[]; settings: object } = JSON.parse(
    process.env.TEST_JAVA_SERVER ?? '{}',
  );
  const client = new LanguageClient(
    'java-server',
    'Java server',
    { command, args },
    { documentSelector: [{ scheme: 'file', language: 'java' }], initializationOptions: { settings } },
  );
  await client.start();
}
