// A real Ceph on this machine for tests of buckets: one monitor, three storage daemons, one gateway that speaks S3, all on loopback.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { messageOf } from '../../../server/base/message-of.ts';
import type { Engine } from '../engines/engines.ts';
import { deadline, patient } from '../patience.ts';
import { freePorts } from './free-ports.ts';

const DAEMONS = 3;
const ALL = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'];
/** Longer than any start on a machine that is busy with something else. */
const START_MILLIS = 120_000;

export type Ceph = {
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Ends a storage daemon as a power cut would. */
  killDaemon(number: number): Promise<void>;
  /** Starts it again; resolves when it takes part. */
  reviveDaemon(number: number): Promise<void>;
  /** A second user, who owns nothing. */
  addUser(name: string): { readonly accessKey: string; readonly secretKey: string };
  stop(): Promise<void>;
};

/** Starts a cluster in a folder of its own, which goes with it. */
export async function startCeph(engine: Engine): Promise<Ceph> {
  const cluster = new Cluster(engine, mkdtempSync(join(tmpdir(), 'insitu-ceph-')), await freePorts(3));
  try {
    await cluster.start();
    return cluster;
  } catch (error) {
    const said = cluster.said();
    await cluster.stop();
    throw new Error(`Ceph did not start: ${messageOf(error)}\n${said}`);
  }
}

/** Makes the bucket `profiles` as the cluster's first user. */
export async function makeBucket({ endpoint, accessKey, secretKey }: Ceph): Promise<void> {
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
  });
  await client.send(new CreateBucketCommand({ Bucket: 'profiles' }));
  client.destroy();
}

/** A process of the cluster. */
type Running = {
  readonly child: ChildProcess;
  /** Why it is not there, when it should be. */
  trouble: string | null;
  /** Resolves when it is gone, also where it was never there. */
  ended: Promise<void>;
};

class Cluster implements Ceph {
  readonly endpoint: string;
  readonly accessKey = 'test-access-key';
  readonly secretKey = 'test-secret-key-that-must-not-be-seen';
  readonly #engine: Engine;
  readonly #folder: string;
  readonly #ports: readonly number[];
  readonly #running = new Map<string, Running>();

  constructor(engine: Engine, folder: string, ports: readonly number[]) {
    this.#engine = engine;
    this.#folder = folder;
    this.#ports = ports;
    this.endpoint = `http://127.0.0.1:${ports[2]}`;
  }

  async start(): Promise<void> {
    const at = (...parts: string[]) => join(this.#folder, ...parts);
    for (const name of ['log', 'run', 'mon']) mkdirSync(at(name));
    const id = randomUUID();
    writeFileSync(at('ceph.conf'), configuration(this.#folder, join(this.#engine.home, 'libraries'), id, this.#ports));
    this.#do('ceph-authtool', '--create-keyring', at('keyring'), '--gen-key', '-n', 'client.admin', ...ALL);
    this.#do('ceph-authtool', at('keyring'), '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *');
    const [v2, v1] = this.#ports;
    const monitor = `[v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]`;
    this.#do('monmaptool', '--create', '--clobber', '--fsid', id, '--addv', 'a', monitor, at('monmap'));
    this.#do('ceph-mon', '--mkfs', '-i', 'a', '--monmap', at('monmap'), '--keyring', at('keyring'));
    this.#up('mon.a', 'ceph-mon', '-f', '-i', 'a');
    await this.#until('the monitor answers', () => this.#ask('mon', 'stat') !== null);
    const made = Array.from({ length: DAEMONS }, async (_, number) => {
      const uuid = randomUUID();
      mkdirSync(at(`osd.${number}`));
      this.#do('ceph', 'osd', 'new', uuid, String(number));
      const mkfs = this.#up(`mkfs.${number}`, 'ceph-osd', '-i', String(number), '--mkfs', '--osd-uuid', uuid);
      await mkfs.ended;
      this.#refuseDead();
      this.#up(`osd.${number}`, 'ceph-osd', '-f', '-i', String(number));
    });
    await Promise.all(made);
    await this.#daemonsUp(DAEMONS);
    const frontend = `--rgw_frontends=beast endpoint=127.0.0.1:${this.#ports[2]}`;
    this.#up('client.rgw', 'radosgw', '-f', '-n', 'client.rgw', frontend);
    const answers = () => fetch(this.endpoint, { signal: AbortSignal.timeout(5_000) }).then(Boolean, () => false);
    await this.#until('the gateway answers', answers);
    this.#user('test', this.accessKey, this.secretKey);
  }

  addUser(name: string): { accessKey: string; secretKey: string } {
    return this.#user(name, `access-key-of-${name}`, `secret-key-of-${name}`);
  }

  async killDaemon(number: number): Promise<void> {
    await this.#end(`osd.${number}`, 'SIGKILL');
  }

  async reviveDaemon(number: number): Promise<void> {
    this.#up(`osd.${number}`, 'ceph-osd', '-f', '-i', String(number));
    await this.#daemonsUp(DAEMONS);
  }

  async stop(): Promise<void> {
    // In an order in which nobody waits for somebody who is gone.
    const names = [...this.#running.keys()].reverse();
    await Promise.all(names.map(name => this.#end(name, 'SIGKILL')));
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The last lines of everything that runs. */
  said(): string {
    return [...this.#running.keys()]
      .map(name => {
        const lines = readFileSync(join(this.#folder, 'log', `${name}.out`), 'utf8')
          .trim()
          .split('\n');
        return `${name}: ${lines.slice(-5).join('\n')}`;
      })
      .join('\n');
  }

  #user(name: string, accessKey: string, secretKey: string): { accessKey: string; secretKey: string } {
    const keys = [`--access-key=${accessKey}`, `--secret-key=${secretKey}`];
    this.#do('radosgw-admin', 'user', 'create', `--uid=${name}`, `--display-name=${name}`, ...keys);
    return { accessKey, secretKey };
  }

  async #daemonsUp(wanted: number): Promise<void> {
    await this.#until(`${wanted} storage daemons are up`, () => {
      const found = /(\d+) up/.exec(this.#ask('osd', 'stat') ?? '');
      return found !== null && Number(found[1]) === wanted;
    });
  }

  #command(program: string, args: readonly string[]): [string, string[], NodeJS.ProcessEnv] {
    const own = program === 'monmaptool' || program === 'ceph-authtool' ? [] : ['-c', join(this.#folder, 'ceph.conf')];
    const env = { ...process.env, CEPH_CONF: join(this.#folder, 'ceph.conf') };
    return [this.#engine.program(program), [...own, ...args], env];
  }

  #do(program: string, ...args: string[]): string {
    const [command, all, env] = this.#command(program, args);
    const result = spawnSync(command, all, { env, encoding: 'utf8', timeout: patient(START_MILLIS) });
    if (result.status === 0) return result.stdout;
    throw new Error(
      `${program} ${args[0]} ended with ${result.status ?? result.signal}: ${result.stderr.slice(-2_000)}`,
    );
  }

  #ask(...args: string[]): string | null {
    const [command, all, env] = this.#command('ceph', args);
    const result = spawnSync(command, all, { env, encoding: 'utf8', timeout: patient(10_000) });
    return result.status === 0 ? result.stdout : null;
  }

  #up(name: string, program: string, ...args: string[]): Running {
    const [command, all, env] = this.#command(program, args);
    const log = openSync(join(this.#folder, 'log', `${name}.out`), 'a');
    const child = spawn(command, all, { env, stdio: ['ignore', log, log] });
    closeSync(log);
    const running: Running = { child, trouble: null, ended: Promise.resolve() };
    running.ended = new Promise(resolve => {
      const end = (trouble: string | null) => {
        running.trouble = trouble;
        resolve();
      };
      // A program that cannot be started at all never exits.
      child.once('error', error => end(`${name} cannot be started: ${error.message}`));
      child.once('exit', (code, signal) => end(code === 0 ? null : `${name} ended with ${signal ?? code}`));
    });
    this.#running.set(name, running);
    return running;
  }

  /** Throws where something has ended that nobody told to. */
  #refuseDead(): void {
    for (const { trouble } of this.#running.values()) if (trouble !== null) throw new Error(trouble);
  }

  async #until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    const isOver = deadline(START_MILLIS);
    while (!(await holds())) {
      this.#refuseDead();
      if (isOver()) throw new Error(`waited too long until ${what}`);
      await wait(200);
    }
  }

  async #end(name: string, signal: NodeJS.Signals): Promise<void> {
    const running = this.#running.get(name);
    this.#running.delete(name);
    running?.child.kill(signal);
    await running?.ended;
  }
}

/** Small, quick to start, and safe against the loss of one daemon: three copies, acknowledged when two have them. */
function configuration(folder: string, libraries: string, id: string, [v2, v1]: readonly number[]): string {
  return `[global]
fsid = ${id}
mon_host = [v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
ms_mon_client_mode = crc
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
run_dir = ${folder}/run
admin_socket = ${folder}/run/$name.asok
pid_file = ${folder}/run/$name.pid
log_file = ${folder}/log/$name.log
crash_dir = ${folder}/run
keyring = ${folder}/keyring
plugin_dir = ${libraries}/ceph
erasure_code_dir = ${libraries}/ceph/erasure-code
osd_class_dir = ${libraries}/rados-classes
osd_pool_default_size = 3
osd_pool_default_min_size = 2
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_max_pg_per_osd = 1000
mon_data_avail_warn = 2
mon_data_avail_crit = 1
mon_osd_full_ratio = 0.97
[mon.a]
mon_data = ${folder}/mon/a
mon_osd_min_down_reporters = 1
paxos_propose_interval = 0.1
mon_osd_down_out_interval = 600
[osd]
osd_data = ${folder}/osd.$id
osd_objectstore = bluestore
bluestore_block_size = ${4 * 2 ** 30}
bluestore_block_create = true
osd_memory_target = 939524096
osd_heartbeat_interval = 1
osd_heartbeat_grace = 5
osd_mclock_skip_benchmark = true
[client]
rgw_data = ${folder}/rgw
rgw_thread_pool_size = 32
rgw_gc_max_objs = 8
rgw_usage_max_shards = 1
rgw_data_log_num_shards = 4
rgw_md_log_max_shards = 4
rgw_lc_max_objs = 4
rgw_enable_apis = s3, admin
rgw_run_sync_thread = false
rgw_override_bucket_index_max_shards = 1
rgw_dynamic_resharding = false
`;
}
