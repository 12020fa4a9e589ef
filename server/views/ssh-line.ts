// How a page of this machine is seen from the other end of an SSH connection.

/** The command that leads the port through, run at the other end; null where this process was not started over SSH. */
export function sshLine(address: string, connection = process.env.SSH_CONNECTION): string | null {
  if (connection === undefined || connection === '') return null;
  const { port } = new URL(address);
  const [, , server = ''] = connection.split(' ');
  // Any text can stand in a variable of the environment.
  const name = /^[\da-fA-F.:]+$/.test(server) ? server : 'SERVER';
  // The same port at both ends: the server answers to its own address only.
  return `ssh -N -L ${port}:127.0.0.1:${port} ${name}`;
}
