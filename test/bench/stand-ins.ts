/**
 * Prometheus and Route 53 as stand-ins, in a process of their own beside the service. Arguments: their two ports.
 * The metric is 3000 and the record has the weight that README's example makes of it already, so nothing is written.
 */
import { scalar, startPrometheusStandIn } from '../support/prometheus-stand-in.ts';
import { startRoute53StandIn } from '../support/route53-stand-in.ts';
import { weightedRecord } from '../support/weighted-record.ts';

const [prometheusPort = 0, route53Port = 0] = process.argv.slice(2).map(Number);

const prometheus = await startPrometheusStandIn({ port: prometheusPort });
prometheus.setDefault(scalar(3000));

const route53 = await startRoute53StandIn({ port: route53Port });
route53.createZone('ZBENCH', 'example.com');
route53.putRecord('ZBENCH', { ...weightedRecord('example.com', 'aws', 16) });
route53.putRecord('ZBENCH', { ...weightedRecord('example.com', 'onprem', 8) });
